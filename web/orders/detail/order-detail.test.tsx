// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ticker } from '#content/brand.json'
import { getChainPayment } from '#contract/money/chain-payments.ts'
import {
  cancelOrder,
  getOrder,
  getOrderPayment,
  setTokenAddress,
  type Order,
  type OrderPayment,
} from '#contract/money/orders.ts'
import { aMember, expectAlert, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { OrderDetail } from './order-detail.tsx'
import { ownAddress } from '#tests/own-chain.ts'

const t = wordsOf('en')
const fabAddress = ownAddress
const placed: Order = {
  _id: '0198f0a0-0000-7000-8000-000000000003',
  memberId: aMember.id,
  email: 'member@example.com',
  ethAddress: '',
  btcAddress: '',
  fabAddress,
  payMethod: 'BTC',
  amount: 0.5,
  fabQty: 6000,
  status: 'pending',
  exactAmount: '0.5',
  exactFabQty: '6000',
  rate: null,
  reference: 'ORD-1A2B3-C4D5E',
  txId: '',
  currency: 'BTC',
  payBefore: '2026-11-23T08:30:00.000Z',
  reportedLate: false,
  disputed: false,
  sharesTransaction: false,
  createdAt: '2026-11-22T08:30:00.000Z',
  updatedAt: '2026-11-22T08:30:00.000Z',
}
const paymentOf = ({
  _id,
  reference,
  status,
  payMethod,
  currency,
  payBefore,
  txId,
  disputed,
}: Order): OrderPayment => ({
  canWithdraw: status === 'pending' && txId === '' && !disputed,
  isBeingWithdrawn: false,
  hasRecordedPayment: false,
  receivedAmount: null,
  displayRates: [],
  orderId: _id,
  memberId: 'm1',
  reference,
  status,
  name: 'Wei Chen',
  payMethod,
  amount: '0.5',
  currency,
  payBefore,
  receivingAddress: '',
  uri: null,
  qrSvg: null,
  txId,
  steps: [],
})

async function detail(fields: Partial<Order> = {}, payment: Partial<OrderPayment> = {}, language?: 'cn') {
  const order = { ...placed, ...fields }
  await signedIn()
  answering(getOrder, order)
  answering(getOrderPayment, { ...paymentOf(order), ...payment })
  answering(getChainPayment, { payment: null })
  const shown = show(<OrderDetail id={order._id} />, language)
  await screen.findByRole('heading', { level: 1 })
  return { ...shown, order }
}
const cancel = () => screen.queryByRole('button', { name: t('orders.cancel') })

test('an unpaid order is cancelled after confirmation, and the page shows it', async () => {
  answering(cancelOrder, { ...placed, status: 'cancelled' })
  const { user, order } = await detail()
  await user.click(cancel()!)
  const dialog = screen.getByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: t('orders.cancel.keep') }))
  expect(callsOf(cancelOrder)).toEqual([])
  await user.click(cancel()!)
  const cancelled = { ...order, status: 'cancelled' as const }
  answering(getOrder, cancelled)
  answering(getOrderPayment, paymentOf(cancelled))
  await user.click(
    within(screen.getByRole('dialog')).getByRole('button', { name: t('orders.cancel.confirm') }),
  )
  await waitFor(() => expect(cancel()).toBeNull())
  expect(callsOf(cancelOrder)).toMatchObject([{ params: { id: order._id } }])
  expect(await screen.findByText(t('orders.cancel.done'))).toBeVisible()
  expect(screen.getByText(t('orders.late.lead'))).toBeVisible()
})

test('an order that cannot be paid yet asks only for a payment already made', async () => {
  await detail({ payBefore: null })
  expect(screen.getByText(t('orders.report.arranged'))).toBeVisible()
  expect(screen.queryByText(t('orders.report.lead'))).toBeNull()
})

test("the dialog says why it can't be cancelled", async () => {
  refusing(cancelOrder, 'conflict', { message: 'A payment was reported.' })
  const { user } = await detail()
  await user.click(cancel()!)
  await user.click(
    within(screen.getByRole('dialog')).getByRole('button', { name: t('orders.cancel.confirm') }),
  )
  await expectAlert('A payment was reported.')
})

test.each([{ txId: 'a' }, { disputed: true }, { status: 'completed' }, { status: 'cancelled' }] as const)(
  'there is nothing to cancel: %j',
  async (fields) => {
    await detail(fields)
    expect(cancel()).toBeNull()
  },
)

const recorded = {
  canWithdraw: false,
  hasRecordedPayment: true,
  receivingAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  uri: 'bitcoin:bc1q',
  steps: [{ kind: 'payment_recorded', at: '2026-11-22T09:30:00.000Z', reason: '', txId: '' }],
} satisfies Partial<OrderPayment>

test('a cancelled order with a recorded payment asks for no report', async () => {
  await detail({ status: 'cancelled' }, { ...recorded, status: 'cancelled' })
  expect(screen.queryByRole('heading', { name: t('orders.late.heading') })).toBeNull()
})

test.each([undefined, 'cn'] as const)(
  'with a recorded payment the page says so, nothing can be cancelled, and the rest has an address: %s',
  async (language) => {
    const said = wordsOf(language ?? 'en')
    const { container } = await detail({ payBefore: '2019-01-01T00:00:00.000Z' }, recorded, language)
    expect(screen.getByText(said('orders.recorded'))).toBeVisible()
    expect(screen.getByText(said('orders.recorded.rest'))).toBeVisible()
    expect(container).toHaveTextContent(recorded.receivingAddress)
    expect(container.querySelector('details')).toBeNull()
    expect(screen.queryByRole('button', { name: said('orders.cancel') })).toBeNull()
    // There is no deadline, and the full amount is not requested again.
    expect(screen.queryByText(said('orders.payBefore'))).toBeNull()
    expect(container).not.toHaveTextContent('2019')
    expect(container).not.toHaveTextContent(said('orders.pay.lead'))
    expect(container).not.toHaveTextContent(said('orders.pay.amount'))
    expect(screen.getByText(said('orders.steps.paymentRecorded'))).toBeVisible()
    expect(screen.getByText(said('orders.steps.waitingForRest'))).toBeVisible()
  },
)

test('with a transaction the instructions for the rest are collapsed, and without an address there are none', async () => {
  const { container } = await detail({ txId: 'a' }, recorded)
  expect(screen.getByText(t('orders.recorded.rest'))).toBeVisible()
  expect(container.querySelector('details')).not.toHaveAttribute('open')
  cleanup()
  await detail({}, { ...recorded, receivingAddress: '', uri: null })
  expect(screen.getByText(t('orders.recorded'))).toBeVisible()
  expect(screen.queryByText(t('orders.recorded.rest'))).toBeNull()
  expect(screen.getByText(t('orders.steps.waitingForFinance'))).toBeVisible()
  expect(screen.queryByText(t('orders.pay.agreed'))).toBeNull()
})

test('an order without a token address asks for it', async () => {
  answering(setTokenAddress, placed)
  const { user, order } = await detail({ fabAddress: '' })
  const field = screen.getByLabelText(t('orders.fabAddress'))
  await user.type(field, fabAddress)
  answering(getOrder, placed)
  await user.click(screen.getByRole('button', { name: t('orders.address.submit') }))
  await waitFor(() => expect(screen.queryByRole('button', { name: t('orders.address.submit') })).toBeNull())
  expect(callsOf(setTokenAddress)).toMatchObject([{ params: { id: order._id }, body: { fabAddress } }])
  expect(screen.getByText(fabAddress)).toBeVisible()
})

test('an order with a token address, or a cancelled one, does not ask', async () => {
  await detail({ fabAddress: '', status: 'cancelled' })
  expect(screen.queryByText(t('orders.address.heading'))).toBeNull()
})

test.each(['pending', 'completed'] as const)(
  'a %s order that is being withdrawn does not ask',
  async (status) => {
    await detail({ fabAddress: '', status }, { isBeingWithdrawn: true })
    expect(screen.queryByText(t('orders.address.heading'))).toBeNull()
  },
)

test('the receipt has the buyer’s name, the deadline, and the time zone', async () => {
  const { container } = await detail({ status: 'completed' })
  expect(screen.getByText('Wei Chen')).toBeVisible()
  expect(screen.getByText(t('orders.payBefore'))).toBeVisible()
  expect(container).toHaveTextContent(/GMT|UTC/)
  expect(container).toHaveTextContent(`6,000 ${ticker}`)
})

test('the receipt of a gift or of a smaller payment shows what was received', async () => {
  const { container } = await detail({ status: 'completed' }, { receivedAmount: '0' })
  expect(screen.getByText(t('orders.receivedAmount'))).toBeVisible()
  expect(container).toHaveTextContent(`${t('orders.receivedAmount')}0 ${placed.currency}`)
  cleanup()
  await detail({ status: 'completed' })
  expect(screen.queryByText(t('orders.receivedAmount'))).toBeNull()
})

test('a page left open past the deadline reloads and hides the receiving address', async () => {
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'Date'],
    now: Date.parse('2026-11-23T08:29:00.000Z'),
  })
  try {
    const { order } = await detail()
    const unpaid = { ...order, status: 'cancelled' as const }
    answering(getOrder, unpaid)
    answering(getOrderPayment, paymentOf(unpaid))
    act(() => void vi.advanceTimersByTime(30_000))
    expect(callsOf(getOrder)).toHaveLength(1)
    act(() => void vi.advanceTimersByTime(60_000))
    await waitFor(() => expect(screen.getByText(t('orders.late.lead'))).toBeVisible())
    expect(cancel()).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

test('a disputed order says what it is waiting for, without a deadline or a receiving address', async () => {
  const { container } = await detail({ disputed: true })
  expect(screen.getByText(t('orders.report.disputed'))).toBeVisible()
  expect(screen.queryByText(t('orders.pay.heading'))).toBeNull()
  expect(container).not.toHaveTextContent(t('orders.pay.none'))
  expect(screen.queryByText(t('orders.payBefore'))).toBeNull()
})

test('a bank payment is counted in its currency, not in banks', async () => {
  const { container } = await detail({ payMethod: 'Bank', currency: 'USD', rate: '2' })
  expect(container).toHaveTextContent('0.5 USD')
  expect(container).toHaveTextContent('1 USD = 2')
  expect(container).not.toHaveTextContent(/\d Bank/)
})

test.each(['pending', 'completed', 'cancelled'] as const)(
  "staff who open someone else's %s order are led to the console and get no member actions",
  async (status) => {
    const { order } = await detail({ memberId: 'another', fabAddress: '', status })
    expect(screen.getByRole('link', { name: t('orders.detail.toConsole') })).toHaveAttribute(
      'href',
      `/console/orders/${order._id}`,
    )
    expect(screen.queryAllByRole('button')).toEqual([])
    expect(screen.queryAllByRole('textbox')).toEqual([])
    expect(screen.queryByText(t('orders.pay.heading'))).toBeNull()
    expect(screen.getByText(t('orders.steps.heading'))).toBeVisible()
  },
)
