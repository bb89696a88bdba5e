import { parseDecimal } from '#contract/platform/decimal.ts'
import type { Refund, WithdrawalState } from '#contract/money/withdrawals.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { MemberContext } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import {
  auditOrder,
  hasInfluencedPayment,
  hasRefundStepOfOther,
  hasStep,
  insertOrderStep,
} from '../order-history.queries.ts'
import { auditedChanges } from '../order-fields.ts'
import {
  largestQuantity,
  recordSeenByWithdrawalProposer,
  wasPaymentReduced,
} from '../order-change.queries.ts'
import type { OrderRow } from '../order.queries.ts'
import { currencyOfOrder } from '../present-order.ts'
import { listSharingPayment } from '../order-transaction.queries.ts'
import { listSetByStaff } from '../console/import.queries.ts'
import { hasImportedPayment } from '../statements/known-payments.ts'
import { isApprovalValid, recordOvertakenProposal } from '../four-eyes.ts'
import {
  isMissingOnChain,
  isSameCurrency,
  withdrawalNeedsFourEyes,
  type WithdrawalFacts,
} from './withdrawal.rules.ts'
import { recordFourEyes } from '../../../people/four-eyes/record-changes.ts'
import { readOrderPolicy } from '../../../people/four-eyes/read-policy.ts'
import { notifySecondApproverOfWithdrawal } from './notify-about-withdrawal.ts'
import {
  findSeenOnChain,
  proposeForWithdrawal,
  type StoredWithdrawal,
  type WithdrawalApproval,
} from './withdrawal.queries.ts'

export const approvalOf = (row: StoredWithdrawal): WithdrawalApproval | null =>
  row.proposal as WithdrawalApproval | null

/** Returns the proposed decision if it still counts as a first approval. */
export const findFirstApproval = async (
  db: Tx,
  config: Config,
  row: StoredWithdrawal,
): Promise<WithdrawalApproval | null> =>
  (await isApprovalValid(db, config, proposedOf(row))) ? approvalOf(row) : null

/** Applies the rules for first approvals of completions to withdrawals. */
export const proposedOf = (row: StoredWithdrawal) => ({
  id: row.order_id,
  completion_seen: row.proposal_seen,
  completion_proposed_by: row.proposed_by,
  completion_proposed_at: row.proposed_at,
})

/** A locked order, its withdrawal, and the proposed decision if it still counts. */
export type Deciding = { order: OrderRow; stored: StoredWithdrawal; first: WithdrawalApproval | null }

/** Whether two approvals agree: for a refund, in every field. */
const isSame = (first: WithdrawalApproval, second: WithdrawalApproval): boolean =>
  first.act === second.act &&
  first.refund?.amount === second.refund?.amount &&
  first.refund?.currency === second.refund?.currency &&
  first.refund?.txId === second.refund?.txId &&
  first.refund?.paidOn === second.refund?.paidOn

/** Returns what determines whether a refund needs two approvals. */
async function factsOf(
  db: Tx,
  { config, caller }: Pick<MemberContext, 'config' | 'caller'>,
  { order, stored }: { order: OrderRow; stored: StoredWithdrawal },
  { amount, currency }: Refund,
) {
  const seen = await findSeenOnChain(db, config.chains, order.id)
  const { chain_final, is_paid_alone } = seen
  const isRecorded = order.paid_amount !== null && parseDecimal(order.paid_amount) > 0n
  return {
    amount,
    isSameCoin: isSameCurrency(currency, currencyOfOrder(order)),
    due: order.amount,
    isMissing: isMissingOnChain(seen, amount),
    // A payment to a shared address may be someone else's, regardless of who reported it.
    seen: is_paid_alone ? chain_final : null,
    isRecordedByOther: isRecorded && !(await isVouchedBy(db, order, caller.memberId)),
    isReplacingOther: await isReplacingOther(db, order.id, stored.state, caller.memberId),
    isOpenedByFinance: await hasStep(db, order.id, 'refund_opened'),
  }
}

/** Whether the officer would replace a refund that someone else recorded or proposed. */
export const isReplacingOther = async (
  db: Tx,
  orderId: string,
  state: WithdrawalState,
  officerId: string,
): Promise<boolean> => state === 'refunded' && (await hasRefundStepOfOther(db, orderId, officerId))

/**
 * Whether the officer influenced the payment data: they took any action on the order other than proposing or making a
 * decision, or dismissed a line, which may have shown that the payment was returned. The importer of a line is
 * responsible for it, even if a colleague assigns it, or enters its payment by hand.
 */
const isVouchedBy = async (db: Tx, order: OrderRow, officerId: string): Promise<boolean> =>
  (await hasInfluencedPayment(db, order.id, officerId)) || (await hasImportedPayment(db, order, officerId))

/**
 * Returns what determines whether every step of the withdrawal needs two approvals. Staff who entered or changed an order
 * set what can be refunded, and staff who removed or lowered its payment would otherwise limit the refund. Staff also
 * assigned a payment that completed another order.
 */
export const withdrawalFactsOf = async (
  db: Tx,
  order: Pick<OrderRow, 'id' | 'fab_qty'>,
  { state, decided_by: decidedBy }: Pick<StoredWithdrawal, 'state' | 'decided_by'>,
  officerId: string,
): Promise<WithdrawalFacts> => ({
  isPaymentDelivered: (await listSharingPayment(db, order.id)).some(({ is_delivered }) => is_delivered),
  isReversing: (state === 'refused' || state === 'unpaid') && decidedBy !== null && decidedBy !== officerId,
  quantity: await largestQuantity(db, order),
  isSetByStaff:
    (await listSetByStaff(db, [order.id])).get(order.id)?.is_changed === true ||
    (await wasPaymentReduced(db, order.id)),
})

/**
 * Returns the reason for the action if it can be carried out, because one approval is enough or this is the second.
 * Otherwise, stores a first approval and returns undefined. A different action starts a new approval.
 */
export async function firstApprovalFor(
  db: Tx,
  context: MemberContext,
  { order, stored, first }: Deciding,
  voice: WithdrawalApproval,
): Promise<{ reason: string } | undefined> {
  const { config, caller } = context
  const policy = await readOrderPolicy(db, config)
  const refunded = voice.refund && (await factsOf(db, context, { order, stored }, voice.refund))
  const takesTwo = withdrawalNeedsFourEyes(
    policy,
    await withdrawalFactsOf(db, order, stored, caller.memberId),
    refunded,
  )
  const isSecond = takesTwo && first !== null && isSame(first, voice)
  if (isSecond && stored.proposed_by === caller.memberId)
    throw new Refused('conflict', { fields: [{ path: 'act', code: 'second_person' }] })
  // Step-up authentication comes last, so that no one has to prove their identity for a request that fails anyway.
  caller.requireStepUp()
  await recordFourEyes(db, context)
  if (isSecond) return { reason: voice.reason || first.reason }
  await recordOvertakenProposal(db, context, order, stored.proposed_by)
  if (!takesTwo) return voice
  await proposeForWithdrawal(db, stored.id, caller.memberId, voice)
  await recordSeenByWithdrawalProposer(db, order.id)
  await insertOrderStep(db, order.id, {
    kind: 'withdrawal_proposed',
    by: caller.memberId,
    reason: voice.reason,
  })
  await auditOrder(db, caller.memberId, 'withdrawal-proposed', order.id, {
    act: voice.act,
    ...(voice.refund && {
      refund: `${voice.refund.amount} ${voice.refund.currency}`,
      ...auditedChanges([{ field: 'refundTxId', before: null, after: voice.refund.txId }]),
    }),
  })
  await notifySecondApproverOfWithdrawal(db, context, order, caller.memberId)
  return undefined
}
