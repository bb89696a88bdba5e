import type { ImportHold } from '#contract/import-payments.ts'
import type { OrderRow } from '../order.queries.ts'
import type { ImportLine } from '../statements/read-lines.ts'
import type { SetByStaff } from './held-import.queries.ts'

type Facts = {
  setByStaff: SetByStaff | undefined
  /** Whether nothing but its transaction links the line to the order. */
  isByTransaction: boolean
  /** Whether a valid proposal to complete the order remains valid with this line. */
  isProposed: boolean
}

/**
 * Returns why the line doesn't complete its order. An officer who imports a statement approves many orders at once and
 * doesn't see what other officers changed in them. Only the order page shows those changes.
 */
export function holdOf(
  { isComplete }: Pick<ImportLine, 'isComplete'>,
  { status }: Pick<OrderRow, 'status'>,
  { setByStaff, isByTransaction, isProposed }: Facts,
): ImportHold | null {
  if (!isComplete || status !== 'pending') return null
  if (setByStaff?.is_changed) return 'changed_by_staff'
  if (setByStaff?.is_named && isByTransaction) return 'transaction_by_staff'
  return isProposed ? 'proposed' : null
}
