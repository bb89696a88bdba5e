import type { Tx } from '../../db/database.ts'
import type { MemberContext } from '../../http/handler.ts'
import { Refused } from '../../refused.ts'
import { auditOrder } from '../audit-order.ts'
import type { OrderRow } from '../order.queries.ts'
import { insertOrderStep } from '../order-step.queries.ts'
import { isVoiceGood, takesTwo } from '../two-persons.ts'
import { noteFourEyes } from '../../four-eyes/note-changes.ts'
import { readOrderPolicy } from '../../four-eyes/read-policy.ts'
import { tellSecondOfWithdrawal } from './tell-of-withdrawal.ts'
import { proposeForWithdrawal, type StoredWithdrawal, type WithdrawalVoice } from './withdrawal.queries.ts'

export const voiceOf = (row: StoredWithdrawal): WithdrawalVoice | null =>
  row.proposal as WithdrawalVoice | null

/** The rules of completing judge the first voice here as well. */
export const proposedOf = (row: StoredWithdrawal) => ({
  completion_proposed_by: row.proposed_by,
  completion_proposed_at: row.proposed_at,
})

/** The same is done only by whoever says the same: of a refund every part of it. */
const isSame = (first: WithdrawalVoice, second: WithdrawalVoice): boolean =>
  first.act === second.act &&
  first.refund?.amount === second.refund?.amount &&
  first.refund?.currency === second.refund?.currency &&
  first.refund?.txId === second.refund?.txId &&
  first.refund?.paidOn === second.refund?.paidOn

/**
 * Answers the reason with which it is done now, because one is enough or this is the second; or keeps it as the first voice
 * and answers nothing. Whoever would do something else begins anew.
 */
export async function firstVoiceFor(
  db: Tx,
  context: MemberContext,
  order: OrderRow,
  stored: StoredWithdrawal,
  voice: WithdrawalVoice,
): Promise<{ reason: string } | undefined> {
  const { config, caller } = context
  const policy = await readOrderPolicy(db, config, order.member_id)
  if (!takesTwo(policy, order.fab_qty)) {
    await noteFourEyes(db, context)
    return voice
  }
  const first = voiceOf(stored)
  if (first && isSame(first, voice) && (await isVoiceGood(db, config, proposedOf(stored)))) {
    if (stored.proposed_by !== caller.memberId) return { reason: voice.reason || first.reason }
    throw new Refused('conflict', { fields: [{ path: 'act', code: 'second_person' }] })
  }
  await proposeForWithdrawal(db, stored.id, caller.memberId, voice)
  await insertOrderStep(db, order.id, {
    kind: 'withdrawal_proposed',
    by: caller.memberId,
    reason: voice.reason,
  })
  await auditOrder(db, caller.memberId, 'withdrawal-proposed', order.id, { act: voice.act })
  await tellSecondOfWithdrawal(db, context, order, caller.memberId)
  return undefined
}
