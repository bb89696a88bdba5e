import type { api } from '#contract/api.ts'
import { figureCoinsMax, figureDays, type Figure, type FigureName } from '#contract/console/console-home.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { Handler } from '../../platform/http/handler.ts'
import {
  countActivations,
  countApplications,
  countDecisions,
  countSignUps,
  readFirstDay,
  sumOrders,
  type Counted,
  type OrderSum,
} from './figures.queries.ts'

export const readDashboardMetrics: Handler<typeof api.readDashboardMetrics> = async (_, { db, caller }) => {
  const readsMembers = levelOf(caller.rights, 'employee') >= 1
  const readsFinance = levelOf(caller.rights, 'finance') >= 1
  const [from, members, applications, sums] = await Promise.all([
    readFirstDay(db),
    readsMembers ? Promise.all([countSignUps(db), countActivations(db)]) : [],
    readsFinance ? Promise.all([countApplications(db), countDecisions(db)]) : [],
    readsFinance ? sumOrders(db) : [],
  ])
  const coins = coinsOf(sums)
  return {
    from,
    figures: [
      ...(readsMembers ? figuresOf(['sign_ups', 'activations'], members.flat()) : []),
      ...(readsFinance
        ? [
            ...figuresOf(['applications', 'approved', 'rejected', 'more_info'], applications.flat()),
            ...figuresOf(orderFigures, sums.map(countOf)),
            ...coins.slice(0, figureCoinsMax).flatMap((coin) => amountsOf(coin, sums)),
          ]
        : []),
    ],
    hasMoreCoins: coins.length > figureCoinsMax,
  }
}

const orderFigures = ['orders_pending', 'orders_completed', 'orders_cancelled'] as const

const countOf = ({ day, status, count }: OrderSum): Counted<(typeof orderFigures)[number]> => ({
  day,
  name: `orders_${status}`,
  value: String(count),
})

const figuresOf = (
  names: readonly FigureName[],
  counted: readonly Counted<FigureName>[],
  coin: string | null = null,
): Figure[] =>
  names.map((name) => {
    const values = Array.from({ length: figureDays }, () => 0n)
    for (const each of counted)
      // Midnight may have passed between two queries.
      if (each.name === name && each.day in values) values[each.day]! += parseDecimal(each.value)
    return { name, coin, values: values.map(writeDecimal) }
  })

const coinOf = ({ currency, payMethod }: OrderSum): string =>
  (currency ?? currencyOf(payMethod)).trim().toUpperCase()

/** Returns coins, those with the most orders first. Canceled orders have no amount. */
function coinsOf(sums: readonly OrderSum[]): string[] {
  const orders = new Map<string, number>()
  for (const sum of sums)
    if (sum.status !== 'cancelled') orders.set(coinOf(sum), (orders.get(coinOf(sum)) ?? 0) + sum.count)
  return [...orders].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([coin]) => coin)
}

const amountsOf = (coin: string, sums: readonly OrderSum[]): Figure[] =>
  figuresOf(
    ['amount_pending', 'amount_completed'],
    sums.flatMap((sum): Counted<FigureName>[] =>
      sum.status === 'cancelled' || coinOf(sum) !== coin
        ? []
        : [{ day: sum.day, name: `amount_${sum.status}`, value: sum.amount }],
    ),
    coin,
  )
