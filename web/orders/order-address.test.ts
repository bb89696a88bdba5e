import { expect, test } from 'vitest'
import { pathToNewOrder } from '../kernel/routes/path-to-new-order.ts'
import { orderViewOf, pathToOrder, pathToOrders } from './order-address.ts'

const viewAt = (path: string) => orderViewOf(new URL(path, 'http://localhost').searchParams)

test('an address leads to what it was built for', () => {
  expect(viewAt(pathToOrders())).toEqual({ name: 'all' })
  expect(viewAt(pathToNewOrder())).toEqual({ name: 'new' })
  for (const id of ['1', 'a b&c', '订单', '../x'])
    expect(viewAt(pathToOrder(id))).toEqual({ name: 'one', id })
  expect(viewAt('/account/account-details?order=')).toEqual({ name: 'all' })
})
