import { useMemo, useSyncExternalStore } from 'react'
import { ambassadorStates } from '#contract/people/ambassadors.ts'
import {
  ambassadorApplications,
  assignAmbassadorApplications,
  declineAmbassadorApplication,
  declineAmbassadorApplications,
  listApplicationColleagues,
  listApplicationCountries,
  type ListedApplication,
} from '#contract/people/console-ambassadors.ts'
import { type Language, languages } from '#contract/platform/languages.ts'
import type { FilterName } from '#contract/platform/resource.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { locale } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type Page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { assigneeColumn, assigneeField, assigneeFilter } from '../list/assignee.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListFilter, ListFilters, ListSpec } from '../list/list-spec.ts'
import { ListDay } from '../list/list-time.tsx'
import { DuplicateTag, LanguageName, StateTag, WaitTags } from './application-tags.tsx'
import styles from './applications.module.css'
import { Board } from './board.tsx'

type ListRoute = 'console.ambassadors' | 'console.ambassadorApplications'

/**
 * The board is shown at its own address, if the window is wide enough. The list is shown at the other address even if
 * there is room for the board, because the list has selection, sorting, and saved views.
 */
export const applicationsPage = (route: ListRoute): Page =>
  page({
    View: function ApplicationsView({ search }: PageProps<unknown>) {
      const { t } = useMessages()
      const isWide = useIsWide()
      const isBoard = isWide && route === 'console.ambassadors'
      const list = [pathTo('console.ambassadorApplications'), ...(search.size > 0 ? [search] : [])].join('?')
      const other = isBoard ? (
        <a href={list}>{t('consoleAmbassadors.asList')}</a>
      ) : (
        <a href={pathTo('console.ambassadors')}>{t('consoleAmbassadors.asBoard')}</a>
      )
      return (
        <>
          <PageHead
            heading={t('console.nav.ambassadors')}
            lead={t('consoleAmbassadors.lead')}
            action={isWide && other}
          />
          <Applications search={search} isBoard={isBoard} route={route} />
        </>
      )
    },
  })

/** The width of four columns next to the navigation. */
const wide = '(min-width: 70rem)'

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(wide)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** The server has no window, but it renders console pages only as shells. */
const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(wide).matches,
    () => false,
  )

type Props = { search: URLSearchParams; isBoard: boolean; route: ListRoute }

/** Filter options are loaded first, because the address may contain one of them. */
function Applications(props: Props) {
  const { t } = useMessages()
  const loaded = useLoaded('', async () => (await call(listApplicationCountries, {})).countries)
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('console.list.failed')} />
  return <LoadedApplications countries={loaded.data} {...props} />
}

function LoadedApplications({ countries, search, isBoard, route }: Props & { countries: readonly string[] }) {
  const { language } = useMessages()
  const filters = useMemo(() => applicationFilters(countries, language), [countries, language])
  const spec = useMemo(() => applicationList(route, filters), [route, filters])
  if (isBoard) return <Board filters={filters} search={search} />
  return <ConsoleList spec={spec} search={search} />
}

/** The name of a country in the reader’s language; text that is not a country code is shown as typed. */
function countryName(key: string, language: Language): string {
  if (!/^[A-Z]{2}$/.test(key)) return key
  return new Intl.DisplayNames(locale[language], { type: 'region' }).of(key) ?? key
}

type BoardFilters = ListFilters<Exclude<FilterName<typeof ambassadorApplications>, 'status'>>

/** Filters for both the board and the list. */
const applicationFilters = (countries: readonly string[], language: Language): BoardFilters => ({
  q: {
    kind: 'search',
    label: 'consoleAmbassadors.search',
    placeholder: 'consoleAmbassadors.search.placeholder',
  },
  country: {
    kind: 'choice',
    label: 'consoleAmbassadors.country',
    options: countries
      .map((key) => ({ value: key, text: countryName(key, language) }))
      .toSorted((a, b) => a.text.localeCompare(b.text, language === 'cn' ? 'zh-CN' : 'en')),
  },
  sentIn: {
    kind: 'choice',
    label: 'consoleAmbassadors.language',
    options: languages.map((value) => ({ value, label: (t) => languageLabel(t, value) })),
  },
  assignee: assigneeFilter,
})

const stateFilter: ListFilter = {
  kind: 'choice',
  label: 'consoleAmbassadors.state',
  options: [
    { value: 'open', label: 'consoleAmbassadors.state.open' },
    ...ambassadorStates.map((value) => ({ value, label: `consoleAmbassadors.state.${value}` as const })),
  ],
}

const columns: ListSpec<typeof ambassadorApplications>['columns'] = [
  {
    name: 'name',
    heading: 'consoleAmbassadors.name',
    cell: (row) => (
      <a className={styles.name} href={pathTo('console.ambassadorApplication', { id: row.id })}>
        {row.fullName}
      </a>
    ),
  },
  { name: 'city', heading: 'consoleAmbassadors.city', cell: ({ city }) => city },
  { name: 'country', heading: 'consoleAmbassadors.country', cell: ({ country }) => country },
  {
    name: 'language',
    heading: 'consoleAmbassadors.language',
    cell: (row) => <LanguageName language={row.language} />,
  },
  {
    name: 'state',
    heading: 'consoleAmbassadors.state',
    cell: (row) => (
      <span className={styles.tags}>
        <StateTag status={row.status} />
        <DuplicateTag application={row} />
        <WaitTags application={row} />
      </span>
    ),
  },
  assigneeColumn,
  {
    name: 'arrived',
    heading: 'consoleAmbassadors.sent',
    sort: 'arrived',
    cell: ({ createdAt }) => <ListDay at={createdAt} />,
  },
  {
    name: 'changed',
    heading: 'consoleAmbassadors.stateSince',
    sort: 'changed',
    isExtra: true,
    cell: ({ stateAt }) => <ListDay at={stateAt} />,
  },
]

const versionOf = ({ lastUpdated }: ListedApplication) => lastUpdated

/** `route`: in a narrow window the list replaces the board. */
const applicationList = (
  route: ListSpec<typeof ambassadorApplications>['route'],
  { q, ...filters }: BoardFilters,
): ListSpec<typeof ambassadorApplications> => ({
  resource: ambassadorApplications,
  route,
  caption: 'consoleAmbassadors.caption',
  nameOf: ({ fullName, city }) => `${fullName} · ${city}`,
  none: { title: 'consoleAmbassadors.none' },
  columns,
  filters: { q, status: stateFilter, ...filters },
  tagOf: ({ status }) => <StateTag status={status} />,
  bulk: [
    {
      name: 'assign',
      label: 'consoleAmbassadors.bulk.assign',
      endpoint: assignAmbassadorApplications,
      versionOf,
      fields: [assigneeField(() => call(listApplicationColleagues, {}))],
    },
    {
      name: 'decline',
      label: 'consoleAmbassadors.bulk.decline',
      endpoint: declineAmbassadorApplications,
      versionOf,
      isDangerous: true,
      isUndoable: true,
      fields: [
        {
          kind: 'reason',
          name: 'reason',
          label: 'consoleAmbassadors.reason',
          schema: declineAmbassadorApplication.body.shape.reason,
          isRequired: true,
        },
        { kind: 'check', name: 'isReasonTold', label: 'consoleAmbassadors.reason.tell' },
      ],
    },
  ],
})
