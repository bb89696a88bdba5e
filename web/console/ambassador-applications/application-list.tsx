import { ambassadorStates } from '#contract/ambassadors.ts'
import {
  exportAmbassadorApplications,
  listAmbassadorApplications,
  type ListedApplication,
} from '#contract/console-ambassadors.ts'
import { languages, type Language } from '#contract/languages.ts'
import { useWords } from '../../i18n/words.tsx'
import { pathTo, type RouteName } from '../../routes/routes.ts'
import { Tag } from '../../ui/tag.tsx'
import { languageInWords } from '../language-in-words.ts'
import type { ListFilter, ListSpec } from '../list/list-spec.ts'
import { countryName, stateWords } from './application-words.ts'
import styles from './applications.module.css'
import { BulkDecline } from './bulk-decline.tsx'
import { StateTag } from './state-tag.tsx'
import { WaitTags } from './wait-tags.tsx'

/** What narrows the board as well as the list. */
export const applicationFilters = (
  countries: readonly string[],
  language: Language,
): readonly ListFilter[] => [
  {
    kind: 'search',
    name: 'q',
    label: 'consoleAmbassadors.search',
    placeholder: 'consoleAmbassadors.search.placeholder',
  },
  {
    kind: 'choice',
    name: 'country',
    label: 'consoleAmbassadors.country',
    options: countries
      .map((key) => ({ value: key, text: countryName(key, language) }))
      .toSorted((a, b) => a.text.localeCompare(b.text, language === 'cn' ? 'zh-CN' : 'en')),
  },
  {
    kind: 'choice',
    name: 'sentIn',
    label: 'consoleAmbassadors.language',
    options: languages.map((value) => ({ value, label: (t) => languageInWords(t, value) })),
  },
  {
    kind: 'choice',
    name: 'assignee',
    label: 'consoleAmbassadors.assignee',
    options: [
      { value: 'me', label: 'consoleAmbassadors.assignee.me' },
      { value: 'nobody', label: 'consoleAmbassadors.assignee.nobody' },
    ],
  },
]

const stateFilter: ListFilter = {
  kind: 'choice',
  name: 'status',
  label: 'consoleAmbassadors.state',
  options: [
    { value: 'open', label: 'consoleAmbassadors.state.open' },
    ...ambassadorStates.map((value) => ({ value, label: stateWords[value].words })),
  ],
}

/** `route`: in a narrow window the list stands in the place of the board. */
export const applicationList = (
  route: RouteName,
  filters: readonly ListFilter[],
  mayAct: boolean,
): ListSpec<typeof listAmbassadorApplications, ListedApplication> => ({
  name: 'ambassadors',
  route,
  endpoint: listAmbassadorApplications,
  file: exportAmbassadorApplications,
  rowsOf: (rows) => rows,
  caption: 'consoleAmbassadors.caption',
  rowKey: ({ id }) => id,
  nameOf: ({ fullName, city }) => `${fullName}, ${city}`,
  defaultSort: '-arrived',
  none: { title: 'consoleAmbassadors.none' },
  columns: [
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
      cell: ({ createdAt }) => <Day at={createdAt} />,
    },
    {
      name: 'changed',
      heading: 'consoleAmbassadors.stateSince',
      sort: 'changed',
      isExtra: true,
      cell: ({ stateAt }) => <Day at={stateAt} />,
    },
  ],
  filters: [filters[0]!, stateFilter, ...filters.slice(1)],
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

function Day({ at }: { at: string }) {
  const { formatDate, formatMoment } = useWords()
  return (
    <time className={styles.day} dateTime={at} title={formatMoment(at)}>
      {formatDate(at)}
    </time>
  )
}

export function LanguageName({ language }: { language: Language }) {
  const { t } = useWords()
  return <span className={styles.day}>{languageInWords(t, language)}</span>
}

export function DuplicateTag({ application }: { application: ListedApplication }) {
  const { t } = useWords()
  return application.hasDuplicate && <Tag colour="red">{t('consoleAmbassadors.duplicate')}</Tag>
}
