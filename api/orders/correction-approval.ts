import { parseDecimal } from '#contract/decimal.ts'
import { deliveryFields } from '#contract/webhook-events.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { readOrderPolicy } from '../four-eyes/read-policy.ts'
import { Refused } from '../refused.ts'
import type { Services } from '../services.ts'
import type { OrderChange, OrderRow } from './order.queries.ts'
import { isApprovalValid } from './four-eyes.ts'

/** Amounts due and received, and their coin. They limit a refund. */
const money = ['amount', 'payMethod', 'paidAmount', 'paidAt'] as const

/**
 * Whether a correction needs four-eyes approval. Changes to what a completed order delivers always do. Changes to what
 * was received do while four-eyes approval is on.
 */
export async function needsCorrectionApproval(
  db: Tx,
  config: Config,
  stored: OrderRow,
  correction: OrderChange,
): Promise<boolean> {
  const isChanged = (name: keyof OrderChange) => correction[name] !== undefined
  if (stored.status !== 'completed') return false
  if (deliveryFields.some(isChanged)) return true
  return (
    money.some(isChanged) && (await readOrderPolicy(db, config, stored.member_id)).twoPersonsFrom !== null
  )
}

/** Whether another finance member proposed the same correction and the proposal is still valid. */
export async function isSecondApproval(
  db: Tx,
  stored: OrderRow,
  change: OrderChange,
  { config, caller }: Pick<Services, 'config'> & { caller: { memberId: string | null } },
): Promise<boolean> {
  // Only a person can approve: the system never counts as one of the two.
  if (caller.memberId === null) throw new Refused('forbidden')
  if (!isSameCorrection(stored.proposed_correction, change) || !(await isApprovalValid(db, config, stored)))
    return false
  if (stored.completion_proposed_by === caller.memberId)
    throw new Refused('conflict', {
      fields: Object.keys(change).map((path) => ({ path, code: 'second_person' as const })),
    })
  return true
}

/** The change as stored with the proposal: times become text. */
const asStored = (change: OrderChange): OrderChange => JSON.parse(JSON.stringify(change)) as OrderChange

function isSameCorrection(proposed: unknown, change: OrderChange): boolean {
  const [a, b] = [Object.entries((proposed ?? {}) as OrderChange), Object.entries(asStored(change))]
  return a.length === b.length && b.every(([name, value]) => isSameValue(name, new Map(a).get(name), value))
}

const isSameValue = (name: string, a: unknown, b: unknown): boolean =>
  (name === 'amount' || name === 'fabQty' || name === 'paidAmount') &&
  typeof a === 'string' &&
  typeof b === 'string'
    ? parseDecimal(a) === parseDecimal(b)
    : a === b
