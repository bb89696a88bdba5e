import {
  addOrderNote,
  assignOrder,
  listOrderColleagues,
  listOrderReaders,
  removeOrderNote,
  type ConsoleStepKind,
} from '#contract/money/console-orders.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { call } from '../../kernel/call/call.ts'
import { ConversationLink } from '../../conversations/conversation-link.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { OnExplorer } from '../../orders/chain/explorer-link.tsx'
import { AssignForm, nameOfAssignee } from '../detail/assign-form.tsx'
import { DetailActions } from '../detail/detail-actions.tsx'
import { detailPage } from '../detail/detail-page.tsx'
import type { NotesSpec } from '../../kernel/staff-notes/staff-notes.tsx'
import type { TimelineEvent } from '../detail/timeline.tsx'
import { stepLabels } from './order-labels.ts'
import { Flags, OrderState } from './orders-list.tsx'
import styles from './orders.module.css'
import { ChainEvidence } from './page/chain-evidence.tsx'
import { EvidenceUpdates, loadWithEvidence, type OrderContext, type ShownOrder } from './page/evidence.ts'
import { OrderActions } from './page/order-actions.tsx'
import { addressFacts, orderedFacts, paymentFacts } from './page/order-facts.tsx'
import { ChangeTable, FourEyesCause, ProposalText } from './page/proposal.tsx'
import { OrderDeliveries } from '../deliveries/order-deliveries.tsx'
import { WithdrawalPart } from './withdrawals/withdrawal-part.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'

/** What staff should know before acting: the owner, existing approvals, and obstacles. */
function OrderNotes({ of }: { of: OrderContext }) {
  const { t, reader } = of
  const { detail } = of.record
  const { order, proposal, takesTwo, isBeingWithdrawn } = detail
  const isFirst = order.status === 'pending' && takesTwo && !proposal && !isBeingWithdrawn
  return (
    <div className={styles.notes}>
      <Notes of={of} keys={accessNotes(of)} />
      {proposal && (
        <Message kind="note">
          <ProposalText proposal={proposal}>
            {proposal.by.id === reader.id && t('consoleOrders.proposal.own')}
            {!proposal.counts && t('consoleOrders.proposal.gone')}
          </ProposalText>
          {proposal.correction && <ChangeTable changes={proposal.correction} />}
        </Message>
      )}
      {isFirst && (
        <Message kind="note">
          <FourEyesCause detail={detail} />
        </Message>
      )}
      <Notes of={of} keys={paymentNotes(of)} />
    </div>
  )
}

type NoteKeys = readonly (PlainKey | false)[]

const Notes = ({ of: { t }, keys }: { of: OrderContext; keys: NoteKeys }) =>
  keys.map(
    (key) =>
      key && (
        <Message key={key} kind="note">
          {t(key)}
        </Message>
      ),
  )

const accessNotes = ({ reader, record: { detail } }: OrderContext): NoteKeys => [
  detail.forbids === 'own' && 'consoleOrders.own',
  detail.forbids === 'own_transaction' && 'consoleOrders.ownTransaction',
  reader.manageFinance < 2 && 'consoleOrders.readOnly',
]

function paymentNotes({ mayAct, record: { detail } }: OrderContext): NoteKeys {
  const { order, flags, cancellingNeeds, isBeingWithdrawn } = detail
  const isPending = order.status === 'pending'
  return [
    isPending && order.disputed && 'consoleOrders.unsettled',
    isPending && !order.disputed && order.reportedLate && 'consoleOrders.unsettled.late',
    mayAct && flags.includes('payment_returned') && 'consoleOrders.paymentReturned',
    mayAct && cancellingNeeds === 'withdrawal' && !isBeingWithdrawn && 'consoleOrders.cancel.withdrawal',
  ]
}

const ends: readonly ConsoleStepKind[] = [
  'cancelled',
  'unpaid',
  'withdrawn',
  'completion_declined',
  'completion_lapsed',
]
const waits: readonly ConsoleStepKind[] = [
  'disputed',
  'reported_late',
  'completion_proposed',
  'correction_proposed',
]

/** Payments that were reported automatically were seen on the chain. */
const seenLabel: Partial<Record<ConsoleStepKind, PlainKey>> = {
  payment_reported: 'consoleOrders.step.paymentSeen',
  reported_late: 'consoleOrders.step.paymentSeenLate',
}

/** The steps of the order with their authors. */
function eventsOf({ t, language, record: { detail } }: OrderContext): TimelineEvent[] {
  const { steps, order } = detail
  return steps.map(({ kind, at, by, reason, txId, changes }, index) => ({
    key: String(index),
    at,
    what: t((by === null && seenLabel[kind]) || stepLabels[kind]),
    by:
      by === null
        ? t(kind === 'placed' ? 'consoleOrders.step.member' : 'consoleOrders.step.program')
        : by.id === order.memberId
          ? t('consoleOrders.step.member')
          : t('consoleOrders.step.by', { name: staffName(by.name, language) }),
    more: (txId || reason || changes.length > 0) && (
      <>
        {txId && (
          <p className={styles.code}>
            <OnExplorer explorer={detail.explorer} kind="tx">
              {txId}
            </OnExplorer>
          </p>
        )}
        {reason && <p>{reason}</p>}
        {changes.length > 0 && <ChangeTable changes={changes} />}
      </>
    ),
    ...(ends.includes(kind) && { mark: 'end' as const }),
    ...(waits.includes(kind) && { mark: 'waits' as const }),
  }))
}

/** The colleague who is responsible for the order. */
function Assignment({ of }: { of: OrderContext }) {
  const { record, mayAct } = of
  const { id, assignee } = record.detail
  if (!mayAct) return <p>{nameOfAssignee(record.detail, of)}</p>
  return (
    <DetailActions
      of={{ ...of, conflict: 'console.assign.changed' }}
      actions={[]}
      before={(act, isBusy) => (
        <AssignForm
          key={assignee?.id ?? ''}
          assignee={assignee}
          reader={of.reader}
          colleagues={() => call(listOrderColleagues, {})}
          assign={async (to) => {
            const body = { to, from: assignee?.id ?? null }
            const assigned = await call(assignOrder, { params: { id }, body })
            return { ...record, detail: { ...record.detail, ...assigned } }
          }}
          act={act}
          isBusy={isBusy}
        />
      )}
    />
  )
}

function notesOf({ t, record }: OrderContext): NotesSpec<ShownOrder> {
  const { id, notes } = record.detail
  const withNotes = (noted: Pick<ShownOrder['detail'], 'notes'>): ShownOrder => ({
    ...record,
    detail: { ...record.detail, ...noted },
  })
  return {
    notes,
    draft: `order ${id}`,
    help: t('console.notes.exported'),
    schema: addOrderNote.body.shape.text,
    colleagues: () => call(listOrderReaders, { params: { id } }),
    add: async (text, mentions) =>
      withNotes(await call(addOrderNote, { params: { id }, body: { text, mentions } })),
    remove: async (noteId) => withNotes(await call(removeOrderNote, { params: { id, noteId } })),
  }
}

export default detailPage<ShownOrder>({
  route: 'console.order',
  back: 'consoleOrders.back',
  failed: 'consoleOrders.loadFailed',
  gone: 'consoleOrders.notFound',
  read: loadWithEvidence,
  // Actions that the server would reject are not offered. With level 1, and for one's own orders, there are none.
  mayAct: (reader, { detail }) => reader.manageFinance >= 2 && detail.forbids === null,
  name: ({ record }) => record.detail.order.reference,
  title: ({ t, name }) => t('consoleOrders.one', { reference: name }),
  notices: (of) => {
    const { detail } = of.record
    return (
      <>
        <EvidenceUpdates of={of} />
        <div className={styles.state}>
          <OrderState status={detail.order.status} />
          {detail.flags.length > 0 && <Flags flags={detail.flags} />}
        </div>
        <OrderNotes of={of} />
        <OrderActions of={of} />
        <WithdrawalPart
          orderId={detail.id}
          version={detail.order.updatedAt}
          member={of.reader}
          onChanged={of.reload}
        />
        <OrderDeliveries
          order={detail.order}
          mayAct={of.mayAct}
          isBeingWithdrawn={detail.isBeingWithdrawn}
          onChanged={of.reload}
        />
      </>
    )
  },
  columns: [
    (of) => [
      { id: 'payment', heading: 'consoleOrders.facts.payment', facts: paymentFacts(of) },
      of.record.chain && {
        id: 'chain',
        heading: 'consoleOrders.chain',
        body: <ChainEvidence of={of} chain={of.record.chain} />,
      },
      { id: 'ordered', heading: 'consoleOrders.facts.order', facts: orderedFacts(of) },
      { id: 'addresses', heading: 'consoleOrders.facts.addresses', facts: addressFacts(of) },
    ],
    (of) => [
      {
        id: 'messages',
        heading: 'consoleConversations.part',
        body: (
          <ConversationLink
            about="order"
            of={of.record.detail.order._id}
            ownerId={of.record.detail.order.memberId}
          />
        ),
      },
      of.record.detail.forbids !== 'own' && {
        id: 'assignment',
        heading: 'console.assignment',
        body: <Assignment of={of} />,
      },
      of.record.detail.forbids !== 'own' && { id: 'notes', heading: 'console.notes', notes: notesOf(of) },
      { id: 'history', heading: 'consoleOrders.history', events: eventsOf(of) },
    ],
  ],
})
