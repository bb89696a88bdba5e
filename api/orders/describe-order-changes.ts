import { shortDecimal } from '#contract/decimal.ts'
import type { OrderFieldChange } from '#contract/console-orders.ts'
import { orderColumns, type OrderChange, type OrderRow } from './order.queries.ts'

const described = [
  'payMethod',
  'amount',
  'fabQty',
  'fabAddress',
  'ethAddress',
  'btcAddress',
  'email',
  'txId',
  'paidAmount',
  'paidAt',
] as const satisfies readonly (keyof OrderChange)[]
const decimalFields: readonly string[] = ['amount', 'fabQty', 'paidAmount']

/** Returns each field that the change touches, with its value before and after. Null means unknown or empty. */
export const describeOrderChanges = (stored: OrderRow, change: OrderChange): OrderFieldChange[] =>
  described
    .filter((field) => change[field] !== undefined)
    .map((field) => ({
      field,
      before: textOf(field, stored[orderColumns[field]]),
      after: textOf(field, change[field] ?? null),
    }))

/** Describes an entered order: each field that has a value. */
export const describeEntry = (order: OrderRow): OrderFieldChange[] =>
  described
    .map((field) => ({ field, before: null, after: textOf(field, order[orderColumns[field]]) }))
    .filter(({ after }) => after !== null)

function textOf(field: string, value: string | Date | null): string | null {
  if (value === null || value === '') return null
  if (value instanceof Date) return value.toISOString()
  return decimalFields.includes(field) ? shortDecimal(value) : value
}

/**
 * The same changes for the audit log. An email address is left out, because an entry outlives the erasure of the account; the
 * order's history has it.
 */
export const auditedChanges = (changes: readonly OrderFieldChange[]): { changes?: string[] } => {
  const lines = changes
    .filter(({ field }) => field !== 'email')
    .map(({ field, before, after }) => `${field}: ${before ?? '–'} → ${after ?? '–'}`)
  return lines.length > 0 ? { changes: lines } : {}
}
