import type { api } from '#contract/api.ts'
import { DAY } from '#contract/durations.ts'
import { parseDecimal, writeDecimal } from '#contract/decimal.ts'
import { currencyOf } from '#contract/orders.ts'
import type { ConsoleOrderDetail, OrderFieldChange } from '#contract/console-orders.ts'
import type { FourEyesCause } from '#contract/four-eyes.ts'
import { totalsDaysDefault, totalsDaysMax, type OrderTotals } from '#contract/order-totals.ts'
import type { Handler, MemberContext } from '../../http/handler.ts'
import { refusedField } from '../../refused.ts'
import { findCapRoom } from '../exceeded-cap.ts'
import { listDeliveriesChangedBy } from '../changed-delivery.queries.ts'
import { describeOrderChanges } from '../describe-order-changes.ts'
import { findOrder, type OrderChange, type OrderRow } from '../order.queries.ts'
import { isForColleagues, stepsForMember } from '../order-payment.ts'
import { sharesWithOrderOf } from '../order-step.queries.ts'
import { presentOrder, shownReference } from '../present-order.ts'
import { sumCompletedAlone } from '../completed-alone.queries.ts'
import { findOnChain, hasLeftChain } from '../paid-on-chain.queries.ts'
import { cancellingNeedOf } from '../require-cancellable.ts'
import { findRate } from '../quantity-at-rate.ts'
import { isCoveredOnChain } from '../require-payment.ts'
import { largestQuantity } from '../largest-quantity.queries.ts'
import { canRefund } from '../withdrawals/open-refund.ts'
import { isBeingWithdrawn } from '../withdrawals/withdrawal.queries.ts'
import { isApprovalValid, secondPersonCause as findCause } from '../four-eyes.ts'
import { readOrderPolicy } from '../../four-eyes/read-policy.ts'
import { findChainFlags } from './chain-flags.queries.ts'
import {
  findNamesOfMember,
  listAllStepsOfOrder,
  listOrdersOfSameTransaction,
  listOrderTotals,
} from './console-order.queries.ts'
import { decimalOrNull, differenceOf, flagsOf } from './present-console-order.ts'

const sameTransactionMax = 20

export async function readConsoleOrder(
  { db, config, caller }: MemberContext,
  id: string,
): Promise<ConsoleOrderDetail> {
  const order = (await findOrder(db, id)).openFor(caller)
  const member = await findNamesOfMember(db, order.member_id)
  const steps = await listAllStepsOfOrder(db, order.id)
  const same = await listOrdersOfSameTransaction(db, order.id, sameTransactionMax)
  const isOwn = order.member_id === caller.memberId
  const policy = await readOrderPolicy(db, config, order.member_id)
  const { seen, proven, evidence } = await findOnChain(db, order.id)
  const secondPersonCause = await causeFor(order)
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
    takesTwo: secondPersonCause !== null,
    secondPersonCause,
    capRoom: await findCapRoom(db, order),
    tolerancePercent: config.orderTolerance,
    ...(await needsOf(order)),
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
      // Staff see only what members see when they view their own order.
      ...(isOwn ? stepsForMember(order, steps) : steps).map(
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

  async function needsOf(row: OrderRow) {
    const isOpen = row.status === 'pending' && !isOwn
    return {
      hasLeftChain: isOpen && (await hasLeftChain(db, row.id)),
      provenAmount: isOpen && proven !== undefined ? decimalOrNull(proven) : null,
      isBeingWithdrawn: await isBeingWithdrawn(db, row.id),
      cancellingNeeds: isOpen ? await cancellingNeedOf(db, config, row) : ('nothing' as const),
      canRefund: !isOwn && (await canRefund(db, row)),
    }
  }

  async function causeFor(row: OrderRow): Promise<FourEyesCause | null> {
    const { amount, fab_qty: fabQty, rate } = row
    const isCovered = isCoveredOnChain(evidence, { amount, fabQty, rate })
    // If the amount received is unknown, the amount due determines whether four-eyes approval is needed.
    const received = row.paid_amount ?? seen ?? amount ?? '1'
    const completedAlone = await sumCompletedAlone(db, caller.memberId)
    const largest = await largestQuantity(db, row)
    const price = (await findRate(db, row, {})) ?? null
    const isChangedByOfficer = (await listDeliveriesChangedBy(db, caller.memberId, [row.id])).has(row.id)
    const completing = { amount, fabQty: largest, rate: price, received, isCovered, isChangedByOfficer }
    return findCause(policy, completing, completedAlone) ?? null
  }

  async function proposalOf(row: OrderRow) {
    const { completion_proposed_by: by, completion_proposed_at: at } = row
    if (by === null || at === null) return null
    const first = await findNamesOfMember(db, by)
    return {
      by: { id: by, name: first?.staff_name ?? '' },
      at: at.toISOString(),
      reason: row.completion_reason,
      counts: await isApprovalValid(db, config, row),
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
