import type { api } from '#contract/api.ts'
import {
  figureCoinsMax,
  pathSteps,
  type ConsoleFigures,
  type Figure,
  type FigureName,
} from '#contract/console/console-home.ts'
import { parseDecimal, shortDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { findSold, findSale, sumOrdersSince } from '../../money/sale/sale.queries.ts'
import {
  countActivations,
  countApplications,
  countDecisions,
  countNewBuyers,
  countNewMembers,
  countSignUps,
  periodOf,
  readFirstDay,
  sumOrders,
  type BuyerSteps,
  type Counted,
  type MemberSteps,
  type OrderSum,
  type Period,
} from './figures.queries.ts'

export const readDashboardMetrics: Handler<typeof api.readDashboardMetrics> = async (
  { query },
  { db, caller },
) => {
  const period = periodOf(query.days)
  const readsMembers = levelOf(caller.rights, 'employee') >= 1
  const readsFinance = levelOf(caller.rights, 'finance') >= 1
  const [from, members, applications, sums, newMembers, newBuyers] = await Promise.all([
    readFirstDay(db, period),
    readsMembers ? Promise.all([countSignUps(db, period), countActivations(db, period)]) : [],
    readsFinance ? Promise.all([countApplications(db, period), countDecisions(db, period)]) : [],
    readsFinance ? sumOrders(db, period) : [],
    readsMembers ? countNewMembers(db, period) : {},
    readsFinance ? countNewBuyers(db, period) : {},
  ])
  const coins = coinsOf(sums)
  const figuresIn = figuresOf(period)
  return {
    from,
    step: period.step,
    figures: [
      ...(readsMembers ? figuresIn(['sign_ups', 'activations'], members.flat()) : []),
      ...(readsFinance
        ? [
            ...figuresIn(['applications', 'approved', 'rejected', 'more_info'], applications.flat()),
            ...figuresIn(orderFigures, sums.map(countOf)),
            ...coins.slice(0, figureCoinsMax).flatMap((coin) => amountsOf(period, coin, sums)),
          ]
        : []),
    ],
    hasMoreCoins: coins.length > figureCoinsMax,
    path: pathOf({ ...newMembers, ...newBuyers }),
    sale: levelOf(caller.rights, 'coins') >= 1 ? await readSaleFigures(db) : null,
  }
}

const pathOf = (counts: Partial<MemberSteps & BuyerSteps>): ConsoleFigures['path'] =>
  pathSteps.flatMap((step) => {
    const count = counts[step]
    return count === undefined ? [] : [{ step, count }]
  })

/** What is sold, what is left, and what was ordered at the current settings. */
async function readSaleFigures(db: Tx): Promise<ConsoleFigures['sale']> {
  const sale = await findSale(db)
  if (!sale) return null
  const sold = await findSold(db)
  const { orders, quantity } = await sumOrdersSince(db, sale.updated_at)
  return {
    sold: sold === null ? null : shortDecimal(sold),
    cap: sale.cap === null ? null : shortDecimal(sale.cap),
    left:
      sale.cap === null || sold === null ? null : writeDecimal(parseDecimal(sale.cap) - parseDecimal(sold)),
    changedAt: sale.updated_at.toISOString(),
    orders,
    quantity: shortDecimal(quantity),
  }
}

const orderFigures = ['orders_pending', 'orders_completed', 'orders_cancelled'] as const

const countOf = ({ at, status, count }: OrderSum): Counted<(typeof orderFigures)[number]> => ({
  at,
  name: `orders_${status}`,
  value: String(count),
})

const figuresOf =
  ({ days, step }: Period) =>
  (
    names: readonly FigureName[],
    counted: readonly Counted<FigureName>[],
    coin: string | null = null,
  ): Figure[] =>
    names.map((name) => {
      const values = Array.from({ length: days / step }, () => 0n)
      let before = 0n
      for (const each of counted) {
        if (each.name !== name) continue
        // Midnight may have passed between two queries.
        if (each.at in values) values[each.at]! += parseDecimal(each.value)
        if (each.at < 0) before += parseDecimal(each.value)
      }
      return { name, coin, values: values.map(writeDecimal), before: writeDecimal(before) }
    })

const coinOf = ({ currency, payMethod }: OrderSum): string =>
  (currency ?? currencyOf(payMethod)).trim().toUpperCase()

/** Returns coins, those with the most orders first. Canceled orders have no amount. */
function coinsOf(sums: readonly OrderSum[]): string[] {
  const orders = new Map<string, number>()
  for (const sum of sums)
    if (sum.status !== 'cancelled' && sum.at >= 0)
      orders.set(coinOf(sum), (orders.get(coinOf(sum)) ?? 0) + sum.count)
  return [...orders].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([coin]) => coin)
}

const amountsOf = (period: Period, coin: string, sums: readonly OrderSum[]): Figure[] =>
  figuresOf(period)(
    ['amount_pending', 'amount_completed'],
    sums.flatMap((sum): Counted<FigureName>[] =>
      sum.status === 'cancelled' || coinOf(sum) !== coin
        ? []
        : [{ at: sum.at, name: `amount_${sum.status}`, value: sum.amount }],
    ),
    coin,
  )
