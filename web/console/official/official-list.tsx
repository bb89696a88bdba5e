import { listedChannels, channelStatuses, type ListedChannel } from '#contract/console-official.ts'
import { channelKinds } from '#contract/official.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import styles from './official.module.css'

function Standing({ row }: { row: ListedChannel }) {
  const { t } = useMessages()
  return (
    <>
      <Tag colour={row.standing === 'official' ? 'verdigris' : 'red'}>
        {t(`consoleOfficial.${row.standing}`)}
      </Tag>
      {row.withdrawnAt && (
        <>
          {' '}
          <Tag colour="quiet">{t('consoleOfficial.state.withdrawn')}</Tag> <ListTime at={row.withdrawnAt} />
        </>
      )}
    </>
  )
}

function Kind({ row }: { row: ListedChannel }) {
  const { t } = useMessages()
  return t(`consoleOfficial.kind.${row.kind}`)
}

export const officialList: ListSpec<typeof listedChannels> = {
  resource: listedChannels,
  route: 'console.official',
  caption: 'consoleOfficial.caption',
  nameOf: ({ value }) => value,
  none: { title: 'consoleOfficial.none', help: 'consoleOfficial.none.help' },
  columns: [
    // Never rendered as a link, because it may belong to an impostor.
    {
      name: 'value',
      heading: 'consoleOfficial.value',
      isWide: true,
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
  filters: {
    q: { label: 'consoleOfficial.search', kind: 'search' },
    standing: {
      label: 'consoleOfficial.standing',
      kind: 'choice',
      options: channelStatuses.map((value) => ({ value, label: `consoleOfficial.${value}` })),
    },
    kind: {
      label: 'consoleOfficial.kind',
      kind: 'choice',
      options: channelKinds.map((value) => ({ value, label: `consoleOfficial.kind.${value}` })),
    },
    state: {
      label: 'consoleOfficial.state',
      kind: 'choice',
      options: [
        { value: 'withdrawn', label: 'consoleOfficial.state.withdrawn' },
        { value: 'all', label: 'consoleOfficial.state.all' },
      ],
    },
  },
}
