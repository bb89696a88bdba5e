import { consolePath } from '../kernel/routes/console-path.ts'
import { newOrder } from '../kernel/routes/path-to-new-order.ts'
import { pathTo } from '../kernel/routes/routes.ts'

const toOrders = (query: Record<string, string>): string =>
  `${pathTo('account.accountDetails')}?${new URLSearchParams(query)}`

/** One order, or the form for a new one, is shown on the orders page, selected by `order` in the query. */
export const pathToOrder = (id: string): string => toOrders({ order: id })

export const pathToOrders = (): string => pathTo('account.accountDetails')

/** The console page of the order, for staff. */
export const pathToConsoleOrder = (id: string): string => `${consolePath}/orders/${encodeURIComponent(id)}`

type OrderView = { name: 'all' } | { name: 'new' } | { name: 'one'; id: string }

export function orderViewOf(search: URLSearchParams): OrderView {
  const order = search.get('order')
  if (!order) return { name: 'all' }
  return order === newOrder ? { name: 'new' } : { name: 'one', id: order }
}
