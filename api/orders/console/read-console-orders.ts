import type { api } from '#contract/api.ts'
import { DAY } from '#contract/durations.ts'
import { parseDecimal, writeDecimal } from '#contract/decimal.ts'
import { currencyOf } from '#contract/orders.ts'
import { type OrderFieldChange } from '#contract/console-orders.ts'
import { totalsDaysDefault, totalsDaysMax, type OrderTotals } from '#contract/order-totals.ts'
import type { Handler } from '../../http/handler.ts'
import { refusedField } from '../../refused.ts'
import { defined } from '../order-fields.ts'
import { describeOrderChanges } from '../describe-order-changes.ts'
import { findOrder, type OrderChange, type OrderRow } from '../order.queries.ts'
import { isForColleagues, saidToMember } from '../order-payment.ts'
import { sharesWithOrderOf } from '../order-step.queries.ts'
import { presentOrder, shownReference } from '../present-order.ts'
import { isVoiceGood, takesTwo } from '../two-persons.ts'
import { readOrderPolicy } from '../../four-eyes/read-policy.ts'
import { findChainFlags } from './chain-flags.queries.ts'
import {
  findNamesOfMember,
  listAllStepsOfOrder,
  listConsoleOrderRows,
  listOrdersOfSameTransaction,
  listOrderTotals,
} from './console-order.queries.ts'
import { decimalOrNull, differenceOf, flagsOf, presentConsoleOrder } from './present-console-order.ts'

const sameTransactionMax = 20

export const listConsoleOrders: Handler<typeof api.listConsoleOrders> = async (
  { query },
  { db, caller, answer },
) => {
  const { limit, after, ...filter } = query
  const page = await listConsoleOrderRows(db, caller.memberId, defined(filter), { limit, after })
  answer.setNext(page.next)
  return page.rows.map((row) => presentConsoleOrder(row, caller.memberId))
}

export const getConsoleOrder: Handler<typeof api.getConsoleOrder> = async (
  { params },
  { db, config, caller },
) => {
  const order = (await findOrder(db, params.id)).openFor(caller)
  const member = await findNamesOfMember(db, order.member_id)
  const steps = await listAllStepsOfOrder(db, order.id)
  const same = await listOrdersOfSameTransaction(db, order.id, sameTransactionMax)
  const isOwn = order.member_id === caller.memberId
  const policy = await readOrderPolicy(db, config, order.member_id)
  return {
    id: order.id,
    order: presentOrder(order),
    memberEmail: member?.email ?? '',
    memberName:
      [member?.first_name, member?.last_name].filter(Boolean).join(' ') || (member?.display_name ?? ''),
    flags: flagsOf({ ...order, ...(await findChainFlags(db, order.id)) }, caller.memberId),
    receivingAddress: order.receiving_address,
    payChain: order.pay_chain,
    paidAmount: decimalOrNull(order.paid_amount),
    paidAt: order.paid_at?.toISOString() ?? null,
    difference: differenceOf(order.paid_amount, order.amount),
    forbids: isOwn
      ? 'own'
      : (await sharesWithOrderOf(db, caller.memberId, order.id, ''))
        ? 'own_transaction'
        : null,
    sameTransaction: same.map(({ id, reference, status }) => ({
      id,
      reference: shownReference(reference),
      status,
    })),
    twoPersonsFrom: policy.twoPersonsFrom,
    takesTwo: takesTwo(policy, order.fab_qty),
    tolerancePercent: config.orderTolerance,
    proposal: isOwn ? null : await proposalOf(order),
    steps: [
      {
        kind: 'placed' as const,
        at: order.created_at.toISOString(),
        by: null,
        reason: '',
        txId: '',
        changes: [],
      },
      // Of their own order staff read what every member reads of theirs.
      ...(isOwn ? saidToMember(order, steps) : steps).map(
        ({ kind, at, reason, tx_id, by_member_id, by_name, changes }) => ({
          kind,
          at: at.toISOString(),
          by: by_member_id === null ? null : { id: by_member_id, name: by_name ?? '' },
          reason: isOwn && isForColleagues(kind) ? '' : reason,
          txId: tx_id,
          changes: isOwn ? [] : (changes as OrderFieldChange[]),
        }),
      ),
    ],
  }

  async function proposalOf(row: OrderRow) {
    const { completion_proposed_by: by, completion_proposed_at: at } = row
    if (by === null || at === null) return null
    const first = await findNamesOfMember(db, by)
    return {
      by: { id: by, name: first?.staff_name ?? '' },
      at: at.toISOString(),
      reason: row.completion_reason,
      counts: await isVoiceGood(db, config, row),
      correction: row.proposed_correction
        ? describeOrderChanges(row, row.proposed_correction as OrderChange)
        : null,
    }
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export const readOrderTotals: Handler<typeof api.readOrderTotals> = async ({ query }, { db }) => {
  const to = query.to ?? dayOf(Date.now())
  const from = query.from ?? dayOf(Date.parse(to) - (totalsDaysDefault - 1) * DAY)
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1
  if (days < 1) throw refusedField('to', 'invalid')
  if (days > totalsDaysMax) throw refusedField('to', 'too_far', { max: totalsDaysMax })
  const sums = new Map<string, OrderTotals['rows'][number]>()
  for (const { day, status, currency, pay_method, count, amount, quantity } of await listOrderTotals(
    db,
    from,
    to,
  )) {
    const coin = currency ?? currencyOf(pay_method)
    const key = `${day} ${status} ${coin}`
    const sum = sums.get(key) ?? { day, status, currency: coin, count: 0, amount: '0', quantity: '0' }
    sums.set(key, {
      ...sum,
      count: sum.count + Number(count),
      amount: addDecimals(sum.amount, amount),
      quantity: addDecimals(sum.quantity, quantity),
    })
  }
  return { from, to, rows: [...sums.values()] }
}

const addDecimals = (a: string, b: string | null): string =>
  b === null ? a : writeDecimal(parseDecimal(a) + parseDecimal(b))
