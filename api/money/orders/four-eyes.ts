import { shownReference } from '../../platform/text/order-reference.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { aloneFactor, type FourEyesCause } from '#contract/people/four-eyes.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordFourEyes } from '../../people/four-eyes/record-changes.ts'
import { readOrderPolicy, type OrderPolicy } from '../../people/four-eyes/read-policy.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { consume } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import type { Services } from '../../platform/services.ts'
import { consoleOrderLink } from '../../platform/site-links.ts'
import { listFinanceOfficers } from '../../people/members/approver.queries.ts'
import { lockOfficer, sumCompletedAlone, isAsProposed } from './order-change.queries.ts'
import { auditOrder, insertOrderStep } from './order-history.queries.ts'
import type { OrderRow, Proposal } from './order.queries.ts'

/**
 * Maximum emails per hour about one officer's proposals, so that they can't flood a mailbox. The rest still appear in
 * the list.
 */
const mailedPerHourMax = 20

/** Whether completing needs four-eyes approval. An unknown quantity counts as large. */
export const takesTwo = ({ twoPersonsFrom }: OrderPolicy, quantity: string | null): boolean =>
  twoPersonsFrom !== null && (quantity === null || parseDecimal(quantity) >= parseDecimal(twoPersonsFrom))

/** How long a first approval waits for the second and keeps an order from being canceled as unpaid, in milliseconds. */
export const completionLife = 3 * DAY

type Proposed = Pick<OrderRow, 'completion_proposed_by' | 'completion_proposed_at'>
type ProposedAs = Proposed & Pick<OrderRow, 'id' | 'completion_seen'>

/** Whether the proposal is recent enough and its author has been one of the officers since making it. */
export const isApprovalBy = (
  { completion_proposed_by: by, completion_proposed_at: at }: Proposed,
  officers: readonly { id: string; finance_lost_at: Date | null }[],
): boolean =>
  by !== null &&
  at !== null &&
  Date.now() - at.getTime() < completionLife &&
  officers.some(({ id, finance_lost_at: lost }) => id === by && (lost === null || lost < at))

/**
 * An approval counts only while its author holds the right without interruption and has no interest in the order, and
 * while the order is as the author saw it.
 */
export async function isApprovalValid(db: Tx, config: Config, order: ProposedAs): Promise<boolean> {
  const { id, completion_proposed_by: by, completion_seen: seen } = order
  if (by === null || !isApprovalBy(order, await listFinanceOfficers(db, config))) return false
  return isAsProposed(db, { id, by, seen })
}

/** An order about to be completed. */
export type Completing = {
  /** Amount due. */
  amount: string | null
  fabQty: string | null
  received: string
  /** Whether what was received covers the price of the quantity. */
  coversPrice: boolean
  /** Whether a payment on chain counts as evidence and buys the quantity at the quoted rate. */
  isCovered: boolean
  /** Whether the officer who completes the order entered it, changed it, or dismissed a statement line about it. */
  isChangedByOfficer: boolean
}

/** Whether less was received than the price, or than 1% of the amount due. */
export function isNextToNothing({
  amount,
  received,
  coversPrice,
}: Pick<Completing, 'amount' | 'received' | 'coversPrice'>): boolean {
  const sum = parseDecimal(received)
  return sum === 0n || !coversPrice || (amount !== null && 100n * sum < parseDecimal(amount))
}

/**
 * Returns why completing needs a second approval, given the tokens that the officer completed alone today; undefined if
 * one is enough.
 */
export function secondPersonCause(
  policy: OrderPolicy,
  completing: Completing,
  completedAlone: string,
): FourEyesCause | undefined {
  const { twoPersonsFrom } = policy
  const { fabQty, isCovered, isChangedByOfficer } = completing
  if (twoPersonsFrom === null) return undefined
  if (fabQty === null || takesTwo(policy, fabQty)) return 'quantity'
  if (isNextToNothing(completing)) return 'nothing_received'
  if (isChangedByOfficer) return 'own_change'
  return !isCovered && exceedsDay(twoPersonsFrom, fabQty, completedAlone) ? 'daily_total' : undefined
}

const exceedsDay = (twoPersonsFrom: string, fabQty: string, completedAlone: string): boolean =>
  parseDecimal(completedAlone) + parseDecimal(fabQty) > BigInt(aloneFactor) * parseDecimal(twoPersonsFrom)

/**
 * Whether another completion would take the system above the total that one person may complete alone within 24 hours.
 * A payment on chain proves that someone paid, but not that the price was right.
 */
export async function exceedsProgramTotal(
  db: Tx,
  { twoPersonsFrom }: OrderPolicy,
  fabQty: string,
): Promise<boolean> {
  if (twoPersonsFrom === null) return false
  await lockOfficer(db, null)
  return exceedsDay(twoPersonsFrom, fabQty, await sumCompletedAlone(db, null))
}

/**
 * Returns why an officer needs a second approval to complete the order now. Concurrent requests of one officer run one
 * after the other, so that each one counts what the others completed.
 */
export async function findSecondPersonCause(
  db: Tx,
  policy: OrderPolicy,
  completing: Completing,
  officerId: string | null,
): Promise<FourEyesCause | undefined> {
  const cause = secondPersonCause(policy, completing, '0')
  if (cause || policy.twoPersonsFrom === null || completing.isCovered || officerId === null) return cause
  await lockOfficer(db, officerId)
  return secondPersonCause(policy, completing, await sumCompletedAlone(db, officerId))
}

/** Quantity that counts toward the officer's daily total: null if the chain proves the payment. */
export const aloneQuantityOf = ({
  fabQty,
  isCovered,
}: Pick<Completing, 'fabQty' | 'isCovered'>): string | null => (isCovered ? null : (fabQty ?? '0'))

/**
 * A proposal if a second approval is needed. Otherwise, the order is completed, and `aloneQuantity` counts as completed
 * by one officer; `isApproval` says that this is the second approval.
 */
export type Decision = { proposal?: Proposal; aloneQuantity?: string | null; isApproval?: true }

/**
 * Decides whether the request completes the order or only proposes it. It completes the order if one approval is enough
 * or if this is the second one. A request with other changes counts as a first approval, because the first approver
 * hasn't seen those changes.
 */
export async function decideCompletion(
  db: Tx,
  stored: OrderRow,
  { changesMore, reason, ...completing }: Completing & { changesMore: boolean; reason: string },
  context: Pick<Services, 'config' | 'keys'> & { caller: { memberId: string | null } },
): Promise<Decision> {
  const { config, caller } = context
  const policy = await readOrderPolicy(db, config)
  const isProposed =
    policy.twoPersonsFrom !== null && !changesMore && (await isApprovalValid(db, config, stored))
  const isByOther = isProposed && stored.completion_proposed_by !== caller.memberId
  if (isByOther && caller.memberId !== null) return { isApproval: true }
  await recordFourEyes(db, context)
  if (!(await findSecondPersonCause(db, policy, completing, caller.memberId)))
    return { aloneQuantity: caller.memberId === null ? completing.fabQty : aloneQuantityOf(completing) }
  // Only a person can approve: the system never counts as one of the two.
  if (caller.memberId === null) throw new Refused('forbidden')
  if (isProposed) throw new Refused('conflict', { fields: [{ path: 'status', code: 'second_person' }] })
  return { proposal: { by: caller.memberId, reason } }
}

/** Emails the officers who can give the second approval. */
export async function notifySecondApprover(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  order: OrderRow,
  proposal: Proposal,
): Promise<void> {
  const limit = { key: `tell second ${proposal.by}`, max: mailedPerHourMax, window: HOUR }
  if ((await consume(db, keys, [limit])) !== undefined) return
  const values = { reference: shownReference(order.reference), link: consoleOrderLink(config, order.id) }
  for (const officer of await listFinanceOfficers(db, config))
    if (officer.id !== proposal.by && officer.id !== order.member_id)
      await sendMail(db, keys, officer, 'staff-order-second', values)
}

/**
 * Records that a request ends a colleague's proposal without approving it. This comes before the steps of the request:
 * otherwise, the proposal would look like the first of two approvals.
 */
export async function recordOvertakenProposal(
  db: Tx,
  context: Pick<Services, 'keys' | 'config'> & { caller: { memberId: string | null } },
  order: Pick<OrderRow, 'id' | 'reference'>,
  proposer: string | null,
): Promise<void> {
  if (proposer !== null && proposer !== context.caller.memberId)
    await recordEndedProposal(db, context, order, proposer)
}

/** Records that a proposal ended without effect, and notifies its author if they may still see the order. */
export async function recordEndedProposal(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  order: Pick<OrderRow, 'id' | 'reference'>,
  by: string | null,
): Promise<void> {
  await insertOrderStep(db, order.id, { kind: 'completion_lapsed', by: null })
  await auditOrder(db, null, 'order-completion-lapsed', order.id)
  const proposer = (await listFinanceOfficers(db, config)).find(({ id }) => id === by)
  if (proposer)
    await sendMail(db, keys, proposer, 'staff-order-lapsed', {
      reference: shownReference(order.reference),
      link: consoleOrderLink(config, order.id),
    })
}
