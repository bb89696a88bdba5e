import type { KycCase } from '#contract/people/kyc-review.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Table, type Column } from '../../../kernel/ui/table.tsx'
import { Tag } from '../../../kernel/ui/tag.tsx'
import { nameOf } from '../case/case-head.tsx'
import { CaseAge } from '../case-age.tsx'
import { pathToCase, type QueueFilter } from '../review-address.ts'
import { isWaiting, reviewStates } from '../review-states.ts'
import styles from './queue.module.css'

type TableProps = { cases: readonly KycCase[]; filter: QueueFilter; usualHours: number | null }

export const rowLinkId = (id: string): string => `case-${id}`

const nothing = <span className={styles.nothing}>–</span>

/** A table row per case, or a card on narrow screens. */
export function QueueTable({ cases, filter, usualHours }: TableProps) {
  const { t } = useMessages()
  const columns: Column<KycCase>[] = [
    {
      name: 'name',
      heading: t('review.name'),
      cell: (row) => (
        <a className={styles.name} id={rowLinkId(row._id)} href={pathToCase(row._id, filter)}>
          {nameOf(t, row)}
        </a>
      ),
    },
    {
      name: 'status',
      heading: t('review.status'),
      cell: ({ status }) => <Tag colour={reviewStates[status].colour}>{t(reviewStates[status].words)}</Tag>,
    },
    {
      name: 'age',
      heading: t('review.age'),
      cell: (row) => <CaseAge of={row} usualHours={usualHours} />,
    },
    { name: 'assignee', heading: t('review.assignee'), cell: ({ assignee }) => assignee?.name || nothing },
    { name: 'country', heading: t('review.country'), cell: ({ country }) => country || nothing },
    { name: 'flags', heading: t('review.flags'), cell: (row) => <Flags of={row} /> },
  ]
  return <Table caption={t('review.cases')} columns={columns} rows={cases} rowKey={({ _id }) => _id} />
}

function Flags({ of }: { of: KycCase }) {
  const { t } = useMessages()
  const { approvalProposedBy, finalProposedBy, isFinal, possibleMatches } = of
  const isProposed = approvalProposedBy !== null || (finalProposedBy !== null && !isFinal)
  const hasMatches = possibleMatches !== null && possibleMatches > 0
  // The list cannot be read at the moment, or the case has just arrived.
  const isNotCompared = possibleMatches === null && isWaiting(of.status) && !of.isDeleted
  const flags = [
    { isSet: of.isAnswered, colour: 'green', label: 'review.flags.answered' },
    { isSet: of.hasRefusal, colour: 'red', label: 'review.flags.refused' },
    { isSet: of.hasDuplicates, colour: 'yellow', label: 'review.flags.duplicate' },
    { isSet: hasMatches, colour: 'red', label: 'review.flags.match' },
    { isSet: isNotCompared, colour: 'yellow', label: 'review.flags.notCompared' },
    { isSet: isProposed, colour: 'red', label: 'review.flags.final' },
  ] as const
  const shown = flags.filter(({ isSet }) => isSet)
  if (shown.length === 0) return nothing
  return (
    <span className={styles.flags}>
      {shown.map(({ colour, label }) => (
        <Tag key={label} colour={colour}>
          {t(label)}
        </Tag>
      ))}
    </span>
  )
}
