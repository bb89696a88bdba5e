// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Order, OrderPayment } from '#contract/money/orders.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { OrderNow } from './order-now.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { PaymentInstructions } from './payment-instructions.tsx'

const t = wordsOf('en')
const payment: OrderPayment = {
  orderId: 'o',
  memberId: 'm',
  reference: 'COIN-1A2B3-C4D5E',
  status: 'pending',
  name: '',
  payMethod: 'BTC',
  amount: '0.123456789012345678',
  currency: 'BTC',
  payBefore: '2026-11-23T08:30:00.000Z',
  receivingAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  uri: 'bitcoin:bc1q?amount=1',
  qrSvg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  txId: '',
  canWithdraw: true,
  isBeingWithdrawn: false,
  hasRecordedPayment: false,
  receivedAmount: null,
  displayRates: [],
  steps: [],
}

const placed = { kind: 'placed', at: '2026-11-20T01:02:03.000Z', reason: '', txId: '' } as const
const reported = { kind: 'payment_reported', at: '2026-11-20T02:02:03.000Z', reason: '', txId: '' } as const
const cancelled = { kind: 'cancelled', at: '2026-11-20T03:02:03.000Z', reason: '', txId: '' } as const

test.each(['en', 'cn'] as const)(
  'the timeline shows every step with its time, and the next step of a pending order: %s',
  (language) => {
    const said = wordsOf(language)
    const { container } = show(<OrderTimeline status="pending" steps={[placed]} />, language)
    expect(screen.getByText(said('orders.steps.placed'))).toBeVisible()
    expect(container.querySelector(`time[datetime="${placed.at}"]`)).toBeVisible()
    expect(screen.getByText(said('orders.steps.waitingForPayment'))).toBeVisible()
  },
)

test.each(['en', 'cn'] as const)("an order that can't be paid yet asks for nothing: %s", (language) => {
  show(<OrderTimeline status="pending" steps={[placed]} canPay={false} />, language)
  expect(screen.getByText(wordsOf(language)('orders.steps.waitingForAddress'))).toBeVisible()
})

test.each(['en', 'cn'] as const)('a reported payment awaits finance: %s', (language) => {
  show(<OrderTimeline status="pending" steps={[placed, reported]} />, language)
  expect(screen.getByText(wordsOf(language)('orders.steps.waitingForFinance'))).toBeVisible()
})

test.each(['en', 'cn'] as const)('an order whose payment was removed must be paid: %s', (language) => {
  show(<OrderTimeline status="pending" steps={[placed, reported]} isUnpaid />, language)
  expect(screen.getByText(wordsOf(language)('orders.steps.waitingForPayment'))).toBeVisible()
})

test.each(['en', 'cn'] as const)('a closed order has no current step: %s', (language) => {
  const { container } = show(<OrderTimeline status="cancelled" steps={[placed, cancelled]} />, language)
  expect(screen.getByText(wordsOf(language)('orders.steps.cancelled'))).toBeVisible()
  expect(container.querySelector('[aria-current]')).toBeNull()
})

test('shows the amount to the last digit, the QR code with a text alternative, and the wallet link', () => {
  const { container } = show(<PaymentInstructions payment={payment} />)
  expect(container).toHaveTextContent('0.123456789012345678 BTC')
  const picture = screen.getByRole('img', { name: /bitcoin:bc1q\?amount=1$/ })
  expect(picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml,%3Csvg/)
  expect(screen.getByRole('link', { name: t('orders.pay.open') })).toHaveAttribute(
    'href',
    'bitcoin:bc1q?amount=1',
  )
  expect(container.querySelector('details')).toBeNull()
})

test('once the payment is reported the instructions are collapsed, so that nobody pays twice', () => {
  const { container } = show(<PaymentInstructions payment={{ ...payment, txId: 'a' }} />)
  expect(container.querySelector('main > details')).not.toHaveAttribute('open')
})

test('has nothing to copy without an address', () => {
  show(<PaymentInstructions payment={{ ...payment, receivingAddress: '', uri: null, qrSvg: null }} />)
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('img')).toBeNull()
})

const order = {
  status: 'pending',
  disputed: false,
  reportedLate: false,
  txId: '',
  fabAddress: 'F1',
  exactFabQty: '6000',
} as Order
const later = '2036-11-23T08:30:00.000Z'
const unpayable = { ...payment, receivingAddress: '', payBefore: null }

test.each<[string, Partial<Order>, Partial<OrderPayment>, string]>([
  ['can be paid', {}, { payBefore: later }, 'orders.now.pay.text'],
  ['cannot be paid yet', {}, unpayable, 'orders.pay.none'],
  // A deadline without an address means that payment was arranged outside the product.
  ['is paid elsewhere', {}, { ...unpayable, payBefore: later }, 'orders.pay.agreed'],
  ['has a reported payment', { txId: 'a' }, {}, 'orders.now.verifying.text'],
  ['has a late report', { txId: 'a', reportedLate: true }, {}, 'orders.report.late'],
  ['is disputed', { disputed: true }, {}, 'orders.report.disputed'],
  ['has a dispute and is canceled', { disputed: true, status: 'cancelled' }, {}, 'orders.report.disputed'],
  ['has a recorded payment', {}, { hasRecordedPayment: true }, 'orders.now.recorded'],
  ['is being withdrawn', {}, { isBeingWithdrawn: true }, 'orders.now.withdrawn.text'],
  [
    'has no token address',
    { status: 'completed', fabAddress: '' },
    {},
    'orders.now.completed.withoutAddress',
  ],
  ['is canceled', { status: 'cancelled' }, {}, 'orders.now.cancelled.text'],
  ['was paid late', { status: 'cancelled', reportedLate: true }, {}, 'orders.now.cancelled.paid'],
])('says what happens next with an order that %s', (_, fields, paid, key) => {
  for (const language of ['en', 'cn'] as const) {
    cleanup()
    show(<OrderNow order={{ ...order, ...fields }} payment={{ ...payment, ...paid }} />, language)
    const [status] = screen.getAllByRole('status')
    expect(within(status!).getByText(wordsOf(language)(key))).toBeVisible()
  }
})

test.each(['en', 'cn'] as const)('states the amount, and the deadline with its time zone: %s', (language) => {
  const said = wordsOf(language)
  const { container } = show(<OrderNow order={order} payment={{ ...payment, payBefore: later }} />, language)
  expect(screen.getByText(said('orders.now.pay', { amount: '0.123456789012345678 BTC' }))).toBeVisible()
  expect(container).toHaveTextContent(/:30.{0,4}(GMT|UTC)/)
})

test('states no deadline after a payment was reported, and asks for no payment after the deadline', () => {
  const { container } = show(<OrderNow order={{ ...order, txId: 'a' }} payment={payment} />)
  expect(container).not.toHaveTextContent(':30')
  cleanup()
  const passed = { ...payment, receivingAddress: '', payBefore: '2019-11-23T08:30:00.000Z' }
  show(<OrderNow order={order} payment={passed} />)
  expect(screen.getByText(t('orders.now.overdue'))).toBeVisible()
})

test('states how many tokens are sent for a completed order', () => {
  const { container } = show(<OrderNow order={{ ...order, status: 'completed' }} payment={payment} />)
  expect(container).toHaveTextContent(t('orders.now.completed.quantity', { quantity: '6,000' }))
})

test('an amount without a coin is in the default currency', () => {
  const { container } = show(
    <PaymentInstructions payment={{ ...payment, payMethod: '', currency: 'USD', amount: '12.5' }} />,
  )
  expect(container).toHaveTextContent('12.5 USD')
})

test('the reason of a cancellation is shown with its step', () => {
  show(<OrderTimeline status="cancelled" steps={[placed, { ...cancelled, reason: 'Sale ended.' }]} />)
  expect(screen.getByText(t('orders.steps.reason', { reason: 'Sale ended.' }))).toBeVisible()
})

test('each named transaction is shown with its step, and a disputed one awaits finance', () => {
  const named = { ...reported, txId: 'made-up' }
  const disputed = { ...reported, kind: 'disputed', at: '2026-11-20T04:02:03.000Z', txId: 'real' } as const
  show(<OrderTimeline status="pending" steps={[placed, named, disputed]} />)
  for (const { txId } of [named, disputed]) expect(screen.getByText(txId)).toBeVisible()
  expect(screen.getByText(t('orders.steps.disputed'))).toBeVisible()
  expect(screen.getByText(t('orders.steps.waitingForFinance'))).toBeVisible()
})

test.each(['en', 'cn'] as const)(
  'a completed order, which may be a gift, is not shown as paid: %s',
  (language) => {
    const step = { ...placed, kind: 'completed' } as const
    const { container } = show(<OrderTimeline status="completed" steps={[placed, step]} />, language)
    expect(container).toHaveTextContent(language === 'en' ? 'Order completed' : '订单已完成')
    expect(container).not.toHaveTextContent(language === 'en' ? /received/i : /收到/)
  },
)
