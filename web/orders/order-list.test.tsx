// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { deliveryStates, type OwnDelivery } from '#contract/money/deliveries.ts'
import type { Order } from '#contract/money/orders.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { OrderList, rowsOf } from './account-details-page.tsx'
import { deliveryRowsOf } from './delivery/delivery-rows.ts'

const t = wordsOf('en')
let count = 0
const textOf = (value: number | null | undefined) => (value == null ? null : String(value))
const order = (fields: Partial<Order>): Order => ({
  _id: `o${(count += 1)}`,
  memberId: 'm',
  email: 'a@b.example',
  ethAddress: '',
  btcAddress: '',
  fabAddress: '',
  payMethod: 'BTC',
  amount: 1,
  fabQty: 1,
  status: 'completed',
  exactAmount: '1',
  exactFabQty: fields.fabQty === undefined ? '1' : textOf(fields.fabQty),
  rate: null,
  reference: 'ABC-1A2B3-C4D5E',
  txId: '',
  currency: fields.payMethod ?? 'BTC',
  payBefore: null,
  reportedLate: false,
  disputed: false,
  sharesTransaction: false,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  ...fields,
})

/** Without the heading row. */
const rows = () => screen.getAllByRole('row').slice(1)

test('lists only orders with a payment method; the total counts all completed ones', () => {
  show(
    <OrderList
      orders={[
        order({ fabQty: 0.1 }),
        order({ fabQty: 0.2, payMethod: '' }),
        order({ fabQty: 5, status: 'pending' }),
      ]}
    />,
  )
  expect(rows()).toHaveLength(2)
  expect(screen.getByText(/^0\.3 /)).toHaveProperty('tagName', 'STRONG')
  expect(screen.getByText(t('orders.unlisted', { count: 1 }), { exact: false })).toBeVisible()
})

test('each row links to its order, and figures are shown to the last digit', () => {
  show(<OrderList orders={[order({ _id: 'a b', fabQty: 1.5, exactFabQty: '1.500000000000000001' })]} />)
  const link = within(rows()[0]!).getByText('ABC-1A2B3-C4D5E')
  expect(link.closest('a')).toHaveAttribute('href', '/account/account-details?order=a+b')
  expect(screen.getAllByText(/1\.500000000000000001/)).toHaveLength(2)
})

test('without hidden orders nothing is said about them', () => {
  const { container } = show(<OrderList orders={[order({})]} />)
  expect(container).not.toHaveTextContent(t('orders.unlisted').slice(0, 10))
})

test('with no orders the page says so and shows no total', () => {
  show(<OrderList orders={[]} />)
  expect(screen.getByText(t('orders.empty'))).toBeVisible()
  expect(screen.queryByRole('table')).toBeNull()
})

test('says if a quantity is not known yet', () => {
  show(<OrderList orders={[order({ fabQty: null })]} />)
  expect(within(rows()[0]!).getByText(t('orders.unknown'))).toBeVisible()
})

test.each(['en', 'cn'] as const)('every state has a label in %s', (language) => {
  const states = ['pending', 'completed', 'cancelled'] as const
  show(<OrderList orders={states.map((status) => order({ status }))} />, language)
  for (const [n, status] of states.entries())
    expect(rows()[n]).toHaveTextContent(wordsOf(language)(`orders.status.${status}`))
})

test('the file of all orders has the numbers of the list, and the currency of every amount', () => {
  const orders = [
    order({ reference: 'A' }),
    order({ reference: 'B', payMethod: '', currency: 'USD' }),
    order({ reference: 'C', exactFabQty: '30000.000000000000000001' }),
  ]
  show(<OrderList orders={orders} />)
  const listed = rows().map((row) => [
    row.textContent.replace(/^(\d+).*/, '$1'),
    within(row).getByRole('link').textContent,
  ])
  const [head, ...filed] = rowsOf(orders, t)
  expect(filed.map(([number, reference]) => [number, reference])).toEqual([...listed, ['', 'B']])
  expect(filed.map((row) => row.at(-1))).toEqual(['BTC', 'BTC', 'USD'])
  expect(filed[1]![5]).toBe('30000.000000000000000001')
  expect(new Set(filed.map((row) => row.length))).toEqual(new Set([head!.length]))
})

test('an amount in another currency than the coin next to it shows its currency', () => {
  show(<OrderList orders={[order({ exactAmount: '500', payMethod: 'Bank', currency: 'USD' }), order({})]} />)
  expect(within(rows()[0]!).getByText('500 USD')).toBeVisible()
  expect(screen.queryByText('1 BTC')).toBeNull()
})

const ofOrder = (orderId: string, tranche: number, state: OwnDelivery['state']): OwnDelivery => ({
  id: `${orderId} ${tranche}`,
  reference: `ABCDE0000${tranche}`,
  orderId,
  orderReference: 'ABC',
  tranche,
  amount: '0.000000000000000001',
  dueAt: `2026-12-0${tranche}T00:00:00.000Z`,
  state,
  hold: null,
  address: '',
  txId: '',
  sentAt: null,
  confirmedAt: null,
})

test.each(['en', 'cn'] as const)('an order says where its tokens are in %s', (language) => {
  const words = wordsOf(language)
  const orders = ['x', 'y', 'z'].map((_id) => order({ _id }))
  const deliveries = [
    ofOrder('x', 2, 'scheduled'),
    ofOrder('x', 1, 'confirmed'),
    ofOrder('y', 1, 'confirmed'),
    ofOrder('z', 1, 'cancelled'),
  ]
  show(<OrderList orders={orders} deliveries={deliveries} />, language)
  // The day is the one in UTC.
  expect(rows()[0]).toHaveTextContent(language === 'en' ? /December 2, 2026|2 Dec/ : /2026\D+12\D+2/)
  expect(rows()[1]).toHaveTextContent(words('deliveries.inList.confirmed'))
  expect(rows()[2]).not.toHaveTextContent(words('deliveries.inList.confirmed'))
})

test('an order delivered in parts says how much arrived, and how much is due next', () => {
  const deliveries = [
    ofOrder('x', 1, 'confirmed'),
    ofOrder('x', 3, 'scheduled'),
    { ...ofOrder('x', 2, 'scheduled'), amount: '2.5' },
  ]
  show(<OrderList orders={[order({ _id: 'x' })]} deliveries={deliveries} />)
  expect(rows()[0]).toHaveTextContent(/0\.000000000000000001 of 2\.500000000000000002 \S+ delivered/)
  expect(rows()[0]).toHaveTextContent(/2\.5 \S+ due December 2, 2026/)
})

test('the file of deliveries has a line for each, with its part, date, and amount', () => {
  const [head, ...lines] = deliveryRowsOf([ofOrder('x', 2, 'due'), ofOrder('x', 1, 'confirmed')], t)
  expect(lines.map((line) => line.slice(0, 6))).toEqual([
    ['ABCDE00002', 'ABC', '2', '2026-12-02T00:00:00.000Z', '0.000000000000000001', t('deliveries.state.due')],
    [
      'ABCDE00001',
      'ABC',
      '1',
      '2026-12-01T00:00:00.000Z',
      '0.000000000000000001',
      t('deliveries.state.confirmed'),
    ],
  ])
  expect(new Set([head!.length, ...lines.map((line) => line.length)]).size).toBe(1)
})

test.each(
  deliveryStates.filter(
    (state): state is Exclude<typeof state, 'cancelled' | 'scheduled'> =>
      state !== 'cancelled' && state !== 'scheduled',
  ),
)('a delivery that is %s has its words in the list', (state) => {
  show(<OrderList orders={[order({ _id: 'x' })]} deliveries={[ofOrder('x', 1, state)]} />)
  expect(rows()[0]).toHaveTextContent(t(`deliveries.inList.${state}`))
})

test('the file sums deliveries exactly, and leaves their columns out if they are not known', () => {
  const orders = [order({ _id: 'x' }), order({ _id: 'y' })]
  const deliveries = [
    ofOrder('x', 1, 'confirmed'),
    ofOrder('x', 2, 'confirmed'),
    ofOrder('x', 3, 'scheduled'),
  ]
  const [head, first, second] = rowsOf(orders, t, deliveries)
  expect(first!.slice(-4)).toEqual([
    '0.000000000000000002',
    '2026-12-03T00:00:00.000Z',
    '0.000000000000000001',
    '0.000000000000000001',
  ])
  expect(second!.slice(-4)).toEqual(['', '', '', ''])
  expect(head).toHaveLength(first!.length)
  expect(rowsOf(orders, t)[0]).toHaveLength(head!.length - 4)
})
