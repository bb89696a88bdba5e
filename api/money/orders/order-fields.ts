import { parseDecimal, parseNumber, writeDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type AddressChain } from '#contract/platform/chain-address.ts'
import type { OrderFieldChange } from '#contract/money/console-orders.ts'
import type { Tx } from '../../platform/db/database.ts'
import { refusedField } from '../../platform/refused.ts'
import { listOurAddresses } from '../../people/settings/our-address.queries.ts'
import { orderColumns, type OrderChange, type OrderRow } from './order.queries.ts'

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

type Given = number | string | null | undefined

/** Passes decimals to the database as text, because floating-point arithmetic would change them. */
export function decimals(fields: { amount?: Given; fabQty?: Given }): {
  amount?: string | null
  fabQty?: string | null
} {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value === null ? null : numberText(value)]],
    ),
  )
}

/** Returns 0.0000001 for 1e-7, and keeps 0.1 exactly one tenth. */
export const numberText = (value: number | string): string =>
  typeof value === 'number' ? writeDecimal(parseNumber(value)) : value

/**
 * Whether a JSON number is only the rounded form of the stored value: a record sent back unchanged must keep the digits
 * that a number cannot represent.
 */
export const isSameNumber = (given: Given, stored: string | null): boolean =>
  typeof given === 'number' &&
  stored !== null &&
  given === Number(stored) &&
  parseDecimal(stored) !== parseNumber(given)

const addressFields = {
  ethAddress: 'ethereum',
  btcAddress: 'bitcoin',
  fabAddress: 'token',
} as const satisfies Record<string, AddressChain>

/**
 * Returns the addresses in the canonical form of their chains. Rejects our own addresses, which were probably copied from
 * the payment page: tokens sent there would come back to us.
 */
export async function checkedAddresses(
  db: Tx,
  given: { [Name in keyof typeof addressFields]?: string | undefined },
): Promise<OrderChange> {
  const checked: OrderChange = {}
  for (const name of Object.keys(addressFields) as (keyof typeof addressFields)[]) {
    const text = given[name]
    if (!text) continue
    const result = checkAddress(addressFields[name], text, brand.chain)
    if ('problem' in result) throw refusedField(name, result.problem)
    checked[name] = result.address
  }
  const ours = await listOurAddresses(db, Object.values(checked) as string[])
  for (const [name, address] of Object.entries(checked))
    if (ours.includes(address as string)) throw refusedField(name, 'our_address')
  return checked
}

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
  'disputed',
  'reportedLate',
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

function textOf(field: string, value: string | Date | boolean | null): string | null {
  if (value === null || value === '' || value === false) return null
  if (value === true) return '✓'
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
