import { getPayout, type PayoutDetail } from '#contract/money/payouts.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { call } from '../../kernel/call/call.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { Message } from '../../kernel/ui/form-status.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import type { LabeledValues } from '../detail/labeled-facts.tsx'
import type { TimelineEvent } from '../detail/timeline.tsx'
import { Amount } from '../amount.tsx'
import { ExportPart, whyNoFiles } from './export-part.tsx'
import { HoldReason } from './hold-notice.tsx'
import { ItemsTable } from './items-table.tsx'
import { Network } from './network.tsx'
import { actionsOf, isApprovalExpired } from './payout-actions.tsx'
import { formatLabels } from './payout-labels.ts'
import { PayoutStateTag } from './payout-tags.tsx'
import styles from './payouts.module.css'
import { RunHash } from './run-hash.tsx'

type Context = DetailContext<PayoutDetail>

const isOver = ({ state }: PayoutDetail): boolean => state === 'done' || state === 'cancelled'

/** What staff should know before acting: a hold, a missing approval, a proposal to cancel, and warnings. */
function Notices({ of }: { of: Context }) {
  const { t, record: run } = of
  const { hold, state, proposal, cancelReason } = run
  const warned = run.list.filter(({ warnings }) => warnings.length > 0).length
  return (
    <div className={styles.notes}>
      {hold && !isOver(run) && (
        <Message kind="bad">
          <HoldReason hold={hold} />
          <p>{t('consolePayouts.hold.run')}</p>
        </Message>
      )}
      {state === 'waiting' && (
        <Message kind="note">
          <Approval of={of} />
        </Message>
      )}
      {proposal && !isOver(run) && (
        <Message kind="note">
          <CancelProposal of={of} proposal={proposal} />
        </Message>
      )}
      {state === 'cancelled' && (
        <Message kind="note">{t('consolePayouts.cancelled', { reason: cancelReason })}</Message>
      )}
      {run.watch && run.firstExportedAt && !isOver(run) && <Watched of={of} watch={run.watch} />}
      {warned > 0 && (state === 'waiting' || state === 'ready') && (
        <Message kind="note">{t('consolePayouts.warned', { count: warned })}</Message>
      )}
    </div>
  )
}

type WatchedProps = { of: Context; watch: NonNullable<PayoutDetail['watch']> }

/** What the node proves, and what to check if nothing arrives. */
function Watched({ of: { t, language }, watch }: WatchedProps) {
  const { isReached, readUntil, confirmationsNeeded } = watch
  return (
    <Message kind={isReached ? 'note' : 'bad'}>
      <p>{t(isReached ? 'consolePayouts.watched' : 'consolePayouts.watched.unreached')}</p>
      {isReached && <p>{t('consolePayouts.watched.missing', { count: confirmationsNeeded })}</p>}
      {readUntil && <p>{t('consolePayouts.watched.until', { time: formatMoment(readUntil, language) })}</p>}
    </Message>
  )
}

/** Whose approval the run waits for, and until when. */
function Approval({ of: { t, language, record, reader } }: { of: Context }) {
  const { frozenBy, approvableUntil } = record
  if (isApprovalExpired(record)) return t('consolePayouts.approval.expired')
  return (
    <>
      <p>{t(frozenBy.id === reader.id ? 'consolePayouts.approval.own' : 'consolePayouts.approval.others')}</p>
      {approvableUntil && (
        <p>{t('consolePayouts.approval.until', { time: formatMoment(approvableUntil, language) })}</p>
      )}
    </>
  )
}

type ProposalProps = { of: Context; proposal: NonNullable<PayoutDetail['proposal']> }

function CancelProposal({ of: { t, language, reader }, proposal }: ProposalProps) {
  const { by, reason, deliveryIds, counts } = proposal
  const name = staffName(by.name, language)
  return (
    <>
      <p>
        {deliveryIds
          ? t('consolePayouts.proposal.some', { name, count: deliveryIds.length })
          : t('consolePayouts.proposal', { name })}
      </p>
      <p>{t('consolePayouts.proposal.reason', { reason })}</p>
      {by.id === reader.id && counts && <p>{t('consolePayouts.proposal.own')}</p>}
      {!counts && <p>{t('consolePayouts.proposal.gone')}</p>}
    </>
  )
}

function factsOf({ t, record: run }: Context): LabeledValues {
  const { items, total, sent, confirmed, network, contract } = run
  return {
    'consolePayouts.total': <Amount value={total} />,
    'consolePayouts.items': <Amount value={items} />,
    'consolePayouts.sent': t('consolePayouts.of', { count: sent, all: items }),
    'consolePayouts.confirmed': t('consolePayouts.of', { count: confirmed, all: items }),
    'consolePayouts.network': <Network name={network} />,
    'consolePayouts.contract': contract && <span className={styles.code}>{contract}</span>,
  }
}

/** What was done with the run, newest first. */
function eventsOf({ t, record: run }: Context): TimelineEvent[] {
  const { frozenAt, frozenBy, approvedAt, approvedBy, proposal, cancelledAt, cancelledBy } = run
  const former = t('console.formerColleague')
  const events: TimelineEvent[] = [
    { key: 'frozen', at: frozenAt, what: t('consolePayouts.event.frozen'), by: frozenBy.name },
    ...run.exports.map(({ format, at, by }) => ({
      key: `${format} ${at}`,
      at,
      what: t('consolePayouts.event.exported', { format: t(formatLabels[format]) }),
      by: by?.name ?? former,
    })),
  ]
  if (approvedAt)
    events.push({
      key: 'approved',
      at: approvedAt,
      what: t('consolePayouts.event.approved'),
      by: approvedBy?.name ?? former,
    })
  if (proposal && !isOver(run))
    events.push({
      key: 'proposed',
      at: proposal.at,
      what: t('consolePayouts.event.proposed'),
      by: proposal.by.name,
      mark: 'waits',
    })
  if (cancelledAt)
    events.push({
      key: 'cancelled',
      at: cancelledAt,
      what: t('consolePayouts.event.cancelled'),
      by: cancelledBy?.name ?? former,
      mark: 'end',
    })
  return events.toSorted((a, b) => b.at.localeCompare(a.at))
}

/** One payout run: its hash, totals, and deliveries, and what two officers do with it. */
export default detailPage<PayoutDetail>({
  route: 'console.payout',
  back: 'consolePayouts.back',
  failed: 'consolePayouts.failed',
  gone: 'consolePayouts.gone',
  read: (id) => call(getPayout, { params: { id } }),
  conflict: 'consolePayouts.stale',
  mayAct: (reader, { forbids }) => levelOf(reader, 'finance') >= 2 && forbids === null,
  name: ({ record }) => String(record.number),
  title: ({ t, record }) => t('consolePayouts.one', { number: record.number }),
  lead: ({ t, record }) => (
    <>
      <PayoutStateTag state={record.state} />
      {record.hold && !isOver(record) && <Tag colour="red">{t('consolePayouts.onHold')}</Tag>}
    </>
  ),
  notices: (of) => <Notices of={of} />,
  columns: [
    (of) => [
      {
        id: 'hash',
        heading: 'consolePayouts.hash',
        lead: 'consolePayouts.hash.help',
        body: <RunHash hash={of.record.hash} />,
      },
      { id: 'facts', heading: 'consolePayouts.facts', facts: factsOf(of) },
    ],
    (of) => [
      !isOver(of.record) && {
        id: 'actions',
        heading: 'consolePayouts.actions',
        actions: actionsOf(of),
        readOnly: of.record.forbids ? 'consolePayouts.own' : 'consolePayouts.readOnly',
      },
      of.mayAct &&
        of.record.state !== 'cancelled' && {
          id: 'files',
          heading: 'consolePayouts.files',
          lead: whyNoFiles(of.record) ? undefined : 'consolePayouts.files.help',
          body: <ExportPart of={of} />,
        },
      { id: 'history', heading: 'consolePayouts.history', events: eventsOf(of) },
    ],
  ],
  below: ({ record }) => <ItemsTable of={record} />,
})
