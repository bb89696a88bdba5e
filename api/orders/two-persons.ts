import { parseDecimal } from '#contract/decimal.ts'
import { DAY, HOUR } from '#contract/durations.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { noteFourEyes } from '../four-eyes/note-changes.ts'
import { readOrderPolicy, type OrderPolicy } from '../four-eyes/read-policy.ts'
import { sendMail } from '../mail/send-mail.ts'
import { consume } from '../rate-limits/rate-limit.ts'
import { Refused } from '../refused.ts'
import type { Services } from '../services.ts'
import { consoleOrderLink } from '../site-links.ts'
import { listFinanceOfficers } from '../members/finance-officer.queries.ts'
import type { OrderRow, Proposal } from './order.queries.ts'
import { shownReference } from './present-order.ts'

/** One officer’s proposals fill nobody’s mailbox; what is not mailed waits in the list all the same. */
const mailedPerHourMax = 20

/** Whether completing takes two. How much it is of must be known before it can be little. */
export const takesTwo = ({ twoPersonsFrom }: OrderPolicy, quantity: string | null): boolean =>
  twoPersonsFrom !== null && (quantity === null || parseDecimal(quantity) >= parseDecimal(twoPersonsFrom))

/** How long a first voice waits for the second, and keeps an order from being cancelled as unpaid. */
export const completionLife = 3 * DAY

type Proposed = Pick<OrderRow, 'completion_proposed_by' | 'completion_proposed_at'>

/** Whether somebody proposes to complete it who is one of the officers, and not too long ago. */
export const isVoiceOf = (
  { completion_proposed_by: by, completion_proposed_at: at }: Proposed,
  officers: readonly { id: string }[],
): boolean =>
  by !== null &&
  at !== null &&
  Date.now() - at.getTime() < completionLife &&
  officers.some(({ id }) => id === by)

/** A voice is worth as much as the right of who gave it is worth now. */
export const isVoiceGood = async (db: Tx, config: Config, order: Proposed): Promise<boolean> =>
  isVoiceOf(order, await listFinanceOfficers(db, config))

/**
 * The first voice for completing an order, or nothing where it is completed: because one is enough, or because this is the
 * second. What else changes in the same call was not seen by the first, so that the voices begin anew.
 */
export async function firstVoice(
  db: Tx,
  stored: OrderRow,
  { fabQty, changesMore, reason }: { fabQty: string | null; changesMore: boolean; reason: string },
  context: Pick<Services, 'config' | 'keys'> & { caller: { memberId: string | null } },
): Promise<Proposal | undefined> {
  const policy = await readOrderPolicy(db, context.config, stored.member_id)
  if (!takesTwo(policy, fabQty)) {
    await noteFourEyes(db, context)
    return undefined
  }
  const { config, caller } = context
  // Two persons are two persons: what the program finds is no voice.
  if (caller.memberId === null) throw new Refused('forbidden')
  const voice = { by: caller.memberId, reason }
  if (changesMore || !(await isVoiceGood(db, config, stored))) return voice
  if (stored.completion_proposed_by === caller.memberId)
    throw new Refused('conflict', { fields: [{ path: 'status', code: 'second_person' }] })
  return undefined
}

/** Mails whoever may be the second. */
export async function tellSecond(
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
