import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { emailOrNone, id, line } from '#contract/fields.ts'
import {
  amount,
  chainAddress,
  currencyLengthMax,
  orderStates,
  payMethodLengthMax,
  txIdLengthMax,
} from '#contract/orders.ts'
import type { Tx } from '../db/database.ts'
import { holdMembersWithIds } from '../members/imported-member.queries.ts'
import {
  listOrdersWithIds,
  listTakenByOrders,
  type ImportedOrderRow,
} from '../orders/imported-order.queries.ts'
import { numberText } from '../orders/order-fields.ts'
import { readReference } from '../orders/present-order.ts'
import { transactionKey } from '../orders/transaction-key.ts'
import { dropRepeated, inParts, isSameIn, sortByStored, type Plan, type Planned } from './plan.ts'
import { anyTime, flag, pastTime, readBy } from './record-fields.ts'
import type { Columns, GivenRecords } from './read-records.ts'

export const orderColumns = {
  id: ['_id'],
  memberId: [],
  email: [],
  ethAddress: ['ethAdd'],
  btcAddress: [],
  fabAddress: ['tokenAddress'],
  payMethod: [],
  amount: [],
  fabQty: ['quantity'],
  exactAmount: [],
  exactFabQty: [],
  status: [],
  rate: [],
  currency: [],
  reference: [],
  txId: [],
  sharesTransaction: [],
  payBefore: [],
  createdAt: [],
  updatedAt: [],
} as const satisfies Columns
/** What the API says of an order besides: this site judges anew whether a payment is late or disputed. */
export const orderIgnored = ['reportedLate', 'disputed', '__v']

const orderRecord = z.object({
  id,
  memberId: id,
  email: z.optional(emailOrNone),
  ethAddress: z.optional(chainAddress),
  btcAddress: z.optional(chainAddress),
  fabAddress: z.optional(chainAddress),
  payMethod: z.optional(line(payMethodLengthMax)),
  amount: z.optional(amount),
  fabQty: z.optional(amount),
  exactAmount: z.optional(amount),
  exactFabQty: z.optional(amount),
  status: z.pipe(z.string('required').check(z.trim(), z.toLowerCase()), z.enum(orderStates, 'one_of')),
  rate: z.optional(amount),
  currency: z.optional(line(currencyLengthMax)),
  reference: z.optional(z.string().check(z.refine((text) => readReference(text) !== undefined, 'reference'))),
  txId: z.optional(line(txIdLengthMax)),
  sharesTransaction: z.optional(flag),
  payBefore: z.optional(anyTime),
  createdAt: z.optional(pastTime),
  updatedAt: z.optional(pastTime),
})
type OrderRecord = z.infer<typeof orderRecord>

const textOf = (value: number | string | undefined): string | null =>
  value === undefined ? null : numberText(value)

function rowOf(record: OrderRecord, now: Date): ImportedOrderRow {
  const created = record.createdAt ?? now
  return {
    id: record.id,
    member_id: record.memberId,
    email: record.email ?? '',
    eth_address: record.ethAddress ?? '',
    btc_address: record.btcAddress ?? '',
    fab_address: record.fabAddress ?? '',
    pay_method: record.payMethod ?? '',
    amount: textOf(record.exactAmount ?? record.amount),
    fab_qty: textOf(record.exactFabQty ?? record.fabQty),
    // A rate of nothing is none.
    rate: Number(record.rate ?? 0) > 0 ? textOf(record.rate) : null,
    currency: record.currency ?? null,
    status: record.status,
    reference:
      record.reference === undefined
        ? randomBytes(5).toString('hex').toUpperCase()
        : readReference(record.reference)!,
    tx_id: record.txId ?? '',
    is_tx_shared: record.sharesTransaction ?? false,
    pay_before: record.payBefore ?? null,
    created_at: created,
    updated_at: record.updatedAt ?? created,
  }
}

const compared = [
  'member_id',
  'email',
  'eth_address',
  'btc_address',
  'fab_address',
  'pay_method',
  'amount',
  'fab_qty',
  'status',
  'tx_id',
] as const satisfies (keyof ImportedOrderRow)[]

/** `newMembers` are those that come with the same import. */
export async function planOrders(
  db: Tx,
  given: GivenRecords,
  newMembers: ReadonlySet<string>,
): Promise<Plan<ImportedOrderRow>> {
  const now = new Date()
  const problems = [...given.problems]
  const read: Planned<ImportedOrderRow>[] = []
  for (const record of given.records) {
    const found = readBy(orderRecord, record)
    if ('problems' in found) problems.push(...found.problems)
    else read.push({ line: record.line, row: rowOf(found.value, now) })
  }
  const sorted = await sortByStored(db, dropRepeated(read, problems), listOrdersWithIds, (row, stored) =>
    isSameIn(row, stored, compared),
  )
  await requireMembers(db, sorted.made, newMembers, problems)
  await requireUnused(db, sorted.made, problems)
  return { ...sorted, problems, remarks: remarksOn(sorted.made) }
}

/** Whoever is erased has no new records. */
export async function requireMembers(
  db: Tx,
  made: readonly Planned<{ member_id: string }>[],
  newMembers: ReadonlySet<string>,
  problems: Plan<never>['problems'],
): Promise<void> {
  const asked = [...new Set(made.map(({ row }) => row.member_id))].filter((each) => !newMembers.has(each))
  const known = new Set((await inParts(asked, (ids) => holdMembersWithIds(db, ids))).map(({ id }) => id))
  for (const { line: at, row } of made)
    if (!known.has(row.member_id) && !newMembers.has(row.member_id))
      problems.push({ line: at, column: 'memberId', fault: 'member_unknown' })
}

/** References and transactions that belong to one order each, unless all of them say that they share the transaction. */
async function requireUnused(
  db: Tx,
  made: readonly Planned<ImportedOrderRow>[],
  problems: Plan<never>['problems'],
): Promise<void> {
  const found = await inParts(made, (part) =>
    listTakenByOrders(
      db,
      part.map(({ row }) => row.reference),
      part.map(({ row }) => transactionKey(row.tx_id)).filter((key) => key !== ''),
    ),
  )
  const references = new Set(found.map((each) => each.reference))
  const used = new Map<string, boolean>()
  for (const { tx_key: key, is_tx_shared: isShared } of found)
    used.set(key, isShared && used.get(key) !== false)
  for (const { line: at, row } of made) {
    if (references.has(row.reference))
      problems.push({ line: at, column: 'reference', fault: 'reference_taken' })
    references.add(row.reference)
    const key = transactionKey(row.tx_id)
    if (key === '') continue
    const isShared = used.get(key)
    if (isShared !== undefined && !(isShared && row.is_tx_shared))
      problems.push({ line: at, column: 'txId', fault: 'tx_used' })
    used.set(key, row.is_tx_shared && isShared !== false)
  }
}

function remarksOn(made: readonly Planned<ImportedOrderRow>[]): string[] {
  const pending = made.filter(({ row }) => row.status === 'pending').length
  return pending > 0 ? [`${pending} are pending: they are paid, completed or cancelled here`] : []
}
