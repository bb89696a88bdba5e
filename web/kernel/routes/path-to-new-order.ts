import { pathTo } from './routes.ts'

/** The value of `order` in the query with which the orders page shows the form for a new order. */
export const newOrder = 'new'

export const pathToNewOrder = (): string =>
  `${pathTo('account.accountDetails')}?${new URLSearchParams({ order: newOrder })}`
