import type { OrderTotals } from '#contract/money/order-totals.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import { orderStates, type OrderState } from '#contract/money/orders.ts'

type Row = OrderTotals['rows'][number]

const plus = (a: string, b: string): string => writeDecimal(parseDecimal(a) + parseDecimal(b))

/** Returns the coins, most used first. */
export function coinsOf(rows: readonly Row[]): string[] {
  const counts = new Map<string, number>()
  for (const { currency, count } of rows) counts.set(currency, (counts.get(currency) ?? 0) + count)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([coin]) => coin)
}

/** Returns totals for the whole period, by coin and status. */
export function sumsOf(rows: readonly Row[]): Omit<Row, 'day'>[] {
  return coinsOf(rows).flatMap((currency) =>
    orderStates.flatMap((status) => {
      const of = rows.filter((row) => row.currency === currency && row.status === status)
      if (of.length === 0) return []
      return [
        {
          currency,
          status,
          count: of.reduce((sum, { count }) => sum + count, 0),
          amount: of.reduce((sum, { amount }) => plus(sum, amount), '0'),
          quantity: of.reduce((sum, { quantity }) => plus(sum, quantity), '0'),
        },
      ]
    }),
  )
}

export type DaySum = Record<OrderState, string> & { day: string; count: number }

/** Returns every day of the period, including days without orders. */
export function daysOf({ from, to, rows }: OrderTotals, coin: string): DaySum[] {
  const days: DaySum[] = []
  const byDay = new Map<string, DaySum>()
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY) {
    const day = new Date(at).toISOString().slice(0, 10)
    const sum = { day, count: 0, pending: '0', completed: '0', cancelled: '0' }
    byDay.set(day, sum)
    days.push(sum)
  }
  for (const { day, status, currency, count, amount } of rows) {
    const sum = byDay.get(day)
    if (currency !== coin || !sum) continue
    sum.count += count
    sum[status] = plus(sum[status], amount)
  }
  return days
}
