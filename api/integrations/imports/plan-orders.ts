import { readReference } from '../../platform/text/order-reference.ts'
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { chainAddress, emailOrNone, id, line } from '#contract/platform/fields.ts'
import {
  amount,
  currencyLengthMax,
  orderStates,
  payMethodLengthMax,
  txIdLengthMax,
} from '#contract/money/orders.ts'
import type { Tx } from '../../platform/db/database.ts'
import { holdMembersWithIds } from '../../people/members/imported-member.queries.ts'
import {
  listOrdersWithIds,
  listExistingIdentifiers,
  type ImportedOrderRow,
} from '../../money/orders/imported-order.queries.ts'
import { numberText } from '../../money/orders/order-fields.ts'
import { transactionKey } from '../../money/orders/payment.rules.ts'
import {
  reportRepeated,
  inParts,
  isSameIn,
  sortByStored,
  type MembersOfImport,
  type Plan,
  type Planned,
} from './plan.ts'
import { problemAt } from './import-problem.ts'
import { anyTime, flag, pastTime, readAll } from './record-fields.ts'
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
/** Other fields of the API's orders: this site decides again whether a payment is late or disputed. */
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

const addressesOf = (record: OrderRecord) => ({
  eth_address: record.ethAddress ?? '',
  btc_address: record.btcAddress ?? '',
  fab_address: record.fabAddress ?? '',
})

function rowOf(record: OrderRecord, now: Date): ImportedOrderRow {
  const created = record.createdAt ?? now
  return {
    id: record.id,
    member_id: record.memberId,
    email: record.email ?? '',
    ...addressesOf(record),
    pay_method: record.payMethod ?? '',
    amount: textOf(record.exactAmount ?? record.amount),
    fab_qty: textOf(record.exactFabQty ?? record.fabQty),
    // A rate of zero means that there is none.
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

export async function planOrders(
  db: Tx,
  given: GivenRecords,
  members: MembersOfImport,
): Promise<Plan<ImportedOrderRow>> {
  const now = new Date()
  const { read, problems } = readAll(orderRecord, given)
  const planned = read.map(({ place, value }) => ({ ...place, row: rowOf(value, now) }))
  const sorted = await sortByStored(db, reportRepeated(planned, problems), listOrdersWithIds, (row, stored) =>
    isSameIn(row, stored, compared),
  )
  await requireMembers(db, sorted.made, { members, kind: 'orders' }, problems)
  await requireUnused(db, sorted.made, problems)
  return { ...sorted, problems, remarks: remarksOn(sorted.made) }
}

/**
 * Requires existing members: an erased one gets no new records. Records whose member has a problem in the file are
 * counted there, because fixing that fixes them too.
 */
export async function requireMembers(
  db: Tx,
  made: readonly Planned<{ member_id: string }>[],
  { members, kind }: { members: MembersOfImport; kind: 'orders' | 'identities' },
  problems: Plan<never>['problems'],
): Promise<void> {
  const asked = [...new Set(made.map(({ row }) => row.member_id))].filter((each) => !members.made.has(each))
  const known = new Set((await inParts(asked, (ids) => holdMembersWithIds(db, ids))).map(({ id }) => id))
  for (const each of made) {
    const { member_id: memberId } = each.row
    if (known.has(memberId) || members.made.has(memberId)) continue
    const ofMember = members.failed.get(memberId)
    if (!ofMember) problems.push(problemAt(each, 'memberId', 'member_unknown'))
    else ofMember.dependents = { ...ofMember.dependents, [kind]: (ofMember.dependents?.[kind] ?? 0) + 1 }
  }
}

/**
 * Requires that references and transactions belong to one order each, unless all of the orders say that they share the
 * transaction.
 */
async function requireUnused(
  db: Tx,
  made: readonly Planned<ImportedOrderRow>[],
  problems: Plan<never>['problems'],
): Promise<void> {
  const found = await inParts(made, (part) =>
    listExistingIdentifiers(
      db,
      part.map(({ row }) => row.reference),
      part.map(({ row }) => transactionKey(row.tx_id)).filter((key) => key !== ''),
    ),
  )
  const references = new Set(found.map((each) => each.reference))
  const used = new Map<string, boolean>()
  for (const { tx_key: key, is_tx_shared: isShared } of found)
    used.set(key, isShared && used.get(key) !== false)
  for (const each of made) {
    const { row } = each
    if (references.has(row.reference)) problems.push(problemAt(each, 'reference', 'reference_taken'))
    references.add(row.reference)
    const key = transactionKey(row.tx_id)
    if (key === '') continue
    const isShared = used.get(key)
    if (isShared !== undefined && !(isShared && row.is_tx_shared))
      problems.push(problemAt(each, 'txId', 'tx_used'))
    used.set(key, row.is_tx_shared && isShared !== false)
  }
}

function remarksOn(made: readonly Planned<ImportedOrderRow>[]): string[] {
  const pending = made.filter(({ row }) => row.status === 'pending').length
  return pending > 0 ? [`${pending} pending: they can be paid, completed, or canceled here`] : []
}
