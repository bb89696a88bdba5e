import {
  exportKnownEntries,
  knownStandings,
  listKnownEntries,
  type KnownEntry,
} from '#contract/console-official.ts'
import { knownKinds } from '#contract/official.ts'
import { useWords } from '../../i18n/words.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { kindWords, standingWords } from './official-words.ts'
import styles from './official.module.css'

function Standing({ row }: { row: KnownEntry }) {
  const { t } = useWords()
  return (
    <>
      <Tag colour={row.standing === 'official' ? 'verdigris' : 'red'}>{t(standingWords[row.standing])}</Tag>
      {row.withdrawnAt && (
        <>
          {' '}
          <Tag colour="quiet">{t('consoleOfficial.state.withdrawn')}</Tag> <ListTime at={row.withdrawnAt} />
        </>
      )}
    </>
  )
}

function Kind({ row }: { row: KnownEntry }) {
  const { t } = useWords()
  return t(kindWords[row.kind])
}

export const officialList: ListSpec<typeof listKnownEntries, KnownEntry> = {
  name: 'official-entries',
  route: 'console.official',
  endpoint: listKnownEntries,
  rowsOf: (rows) => rows,
  caption: 'consoleOfficial.caption',
  rowKey: ({ id }) => id,
  nameOf: ({ value }) => value,
  defaultSort: '-added',
  none: { title: 'consoleOfficial.none', help: 'consoleOfficial.none.help' },
  file: exportKnownEntries,
  columns: [
    // Never a link: somebody false has it.
    {
      name: 'value',
      heading: 'consoleOfficial.value',
      cell: ({ value }) => <code className={styles.value}>{value}</code>,
    },
    { name: 'standing', heading: 'consoleOfficial.standing', cell: (row) => <Standing row={row} /> },
    { name: 'kind', heading: 'consoleOfficial.kind', cell: (row) => <Kind row={row} /> },
    { name: 'note', heading: 'consoleOfficial.note', cell: ({ note }) => note },
    {
      name: 'evidence',
      heading: 'consoleOfficial.evidence',
      isExtra: true,
      cell: ({ evidence }) => evidence && <code className={styles.value}>{evidence}</code>,
    },
    {
      name: 'added',
      heading: 'consoleOfficial.added',
      sort: 'added',
      cell: ({ addedAt }) => <ListTime at={addedAt} />,
    },
    {
      name: 'by',
      heading: 'consoleOfficial.addedBy',
      isExtra: true,
      cell: ({ addedBy }) => addedBy?.name ?? '–',
    },
  ],
  filters: [
    { name: 'q', label: 'consoleOfficial.search', kind: 'search' },
    {
      name: 'standing',
      label: 'consoleOfficial.standing',
      kind: 'choice',
      options: knownStandings.map((value) => ({ value, label: standingWords[value] })),
    },
    {
      name: 'kind',
      label: 'consoleOfficial.kind',
      kind: 'choice',
      options: knownKinds.map((value) => ({ value, label: kindWords[value] })),
    },
    {
      name: 'state',
      label: 'consoleOfficial.state',
      kind: 'choice',
      options: [
        { value: 'withdrawn', label: 'consoleOfficial.state.withdrawn' },
        { value: 'all', label: 'consoleOfficial.state.all' },
      ],
    },
  ],
}
