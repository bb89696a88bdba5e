import type { Tx } from '../db/database.ts'
import { sendMail } from '../mail/send-mail.ts'
import { listFinanceOfficers } from '../members/finance-officer.queries.ts'
import type { Services } from '../services.ts'
import { consoleOrderLink } from '../site-links.ts'
import { auditOrder } from './audit-order.ts'
import { lockNextExpiredProposal } from './order-deadline.queries.ts'
import { updateOrderRow, type OrderRow } from './order.queries.ts'
import { insertOrderStep } from './order-step.queries.ts'
import { shownReference } from './present-order.ts'
import { completionLife } from './four-eyes.ts'
import { reinstateDeadline } from './reinstate-deadline.ts'
import { clearWithdrawalProposal, lockNextExpiredWithdrawal } from './withdrawals/withdrawal.queries.ts'

type Needed = Pick<Services, 'keys' | 'config'>

/**
 * Locks the next order whose completion proposal expired or whose proposer lost the required role. While an officer
 * replaces a second factor, the proposal is not valid but does not end.
 */
export const lockExpiredProposal = async (
  db: Tx,
  without: readonly string[],
): Promise<OrderRow | undefined> => lockNextExpiredProposal(db, await counting(db), without)

/** Does the same for a proposed decision on a withdrawal, and locks its order. */
export const lockExpiredWithdrawalProposal = async (
  db: Tx,
  without: readonly string[],
): Promise<OrderRow | undefined> => lockNextExpiredWithdrawal(db, await counting(db), without)

const counting = async (db: Tx) => ({
  officers: (await listFinanceOfficers(db, { isStaffSecondFactorRequired: false })).map(({ id }) => id),
  age: completionLife,
})

/**
 * Ends a proposal and starts a new payment period for the member, who isn't told about proposals. The proposer is
 * notified if they may still see the order.
 */
export async function endProposal(db: Tx, { keys, config }: Needed, order: OrderRow): Promise<void> {
  await reinstateDeadline(db, config, order, await updateOrderRow(db, order.id, {}))
  await recordExpiredProposal(db, { keys, config }, order, order.completion_proposed_by)
}

/** Ends a proposed decision, so that the withdrawal awaits a decision again. */
export async function endWithdrawalProposal(db: Tx, services: Needed, order: OrderRow): Promise<void> {
  const { proposed_by: by } = await clearWithdrawalProposal(db, order.id)
  await recordExpiredProposal(db, services, order, by)
}

async function recordExpiredProposal(
  db: Tx,
  { keys, config }: Needed,
  order: OrderRow,
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
