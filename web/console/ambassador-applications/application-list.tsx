import { ambassadorStates } from '#contract/ambassadors.ts'
import { ambassadorApplications } from '#contract/console-ambassadors.ts'
import { type Language, languages } from '#contract/languages.ts'
import type { FilterName } from '#contract/resource.ts'
import { locale } from '../../i18n/language.ts'
import { pathTo } from '../../routes/routes.ts'
import { languageLabel } from '../language-label.ts'
import type { ListFilter, ListFilters, ListSpec } from '../list/list-spec.ts'
import { ListDay } from '../list/list-time.tsx'
import styles from './applications.module.css'
import { DuplicateTag, LanguageName, StateTag, WaitTags } from './application-tags.tsx'
import { BulkDecline } from './decline-dialogs.tsx'

/** The name of a country in the reader’s language; text that is not a country code is shown as typed. */
function countryName(key: string, language: Language): string {
  if (!/^[A-Z]{2}$/.test(key)) return key
  return new Intl.DisplayNames(locale[language], { type: 'region' }).of(key) ?? key
}

type BoardFilters = ListFilters<Exclude<FilterName<typeof ambassadorApplications>, 'status'>>

/** Filters for both the board and the list. */
export const applicationFilters = (countries: readonly string[], language: Language): BoardFilters => ({
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
  assignee: {
    kind: 'choice',
    label: 'consoleAmbassadors.assignee',
    options: [
      { value: 'me', label: 'consoleAmbassadors.assignee.me' },
      { value: 'nobody', label: 'consoleAmbassadors.assignee.nobody' },
    ],
  },
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
  {
    name: 'assignee',
    heading: 'consoleAmbassadors.assignee',
    cell: ({ assignee }) => (
      <span className={assignee ? styles.colleague : undefined}>{assignee?.name ?? '–'}</span>
    ),
  },
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

/** `route`: in a narrow window the list replaces the board. */
export const applicationList = (
  route: ListSpec<typeof ambassadorApplications>['route'],
  { q, ...filters }: BoardFilters,
  mayAct: boolean,
): ListSpec<typeof ambassadorApplications> => ({
  resource: ambassadorApplications,
  route,
  caption: 'consoleAmbassadors.caption',
  nameOf: ({ fullName, city }) => `${fullName}, ${city}`,
  none: { title: 'consoleAmbassadors.none' },
  columns,
  filters: { q, status: stateFilter, ...filters },
  ...(mayAct && {
    bulk: [
      {
        name: 'decline',
        label: 'consoleAmbassadors.decline.bulk',
        isDangerous: true,
        dialog: (rows, onClose) => <BulkDecline applications={rows} onClose={onClose} />,
      },
    ],
  }),
})
