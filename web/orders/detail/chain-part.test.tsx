// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  chainStates,
  getChainPayment,
  type ChainPayment,
  type ChainState,
} from '#contract/money/chain-payments.ts'
import { followOrders } from '#contract/money/order-changes.ts'
import { getOrder, getOrderPayment, type Order, type OrderPayment } from '#contract/money/orders.ts'
import { aChainPayment, aTransaction, chainPayments, chainTxId } from '#tests/setup/a-chain-payment.ts'
import { aMember, show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing, streaming } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { chainTitles } from '../chain/chain-labels.ts'
import { OrderDetail } from './order-detail.tsx'

const t = wordsOf('en')
const { address } = aChainPayment()
const placed: Order = {
  _id: aChainPayment().orderId,
  memberId: aMember.id,
  email: '',
  ethAddress: '',
  btcAddress: '',
  fabAddress: 'F1',
  payMethod: 'BTC',
  amount: 0.5,
  fabQty: 6000,
  status: 'pending',
  exactAmount: '0.5',
  exactFabQty: '6000',
  rate: null,
  reference: 'COIN-1A2B3-C4D5E',
  txId: '',
  currency: 'BTC',
  payBefore: '2036-11-23T08:30:00.000Z',
  reportedLate: false,
  disputed: false,
  sharesTransaction: false,
  createdAt: '2026-11-22T08:30:00.000Z',
  updatedAt: '2026-11-22T08:30:00.000Z',
}
const paying: OrderPayment = {
  canWithdraw: true,
  isBeingWithdrawn: false,
  hasRecordedPayment: false,
  receivedAmount: null,
  displayRates: [],
  orderId: placed._id,
  memberId: placed.memberId,
  reference: placed.reference,
  status: 'pending',
  name: '',
  payMethod: 'BTC',
  amount: '0.5',
  currency: 'BTC',
  payBefore: placed.payBefore,
  receivingAddress: address,
  uri: `bitcoin:${address}?amount=0.5`,
  qrSvg: null,
  txId: '',
  steps: [],
}

async function watched(chain: ChainPayment, fields: Partial<Order> = {}, language?: 'cn') {
  const order = { ...placed, ...fields }
  await signedIn()
  answering(getOrder, order)
  answering(getOrderPayment, { ...paying, status: order.status, txId: order.txId })
  answering(getChainPayment, { payment: chain })
  const shown = show(<OrderDetail id={order._id} />, language)
  await screen.findByRole('heading', { level: 1 })
  return shown
}
const part = (language: 'en' | 'cn' = 'en') =>
  within(screen.getByRole('region', { name: wordsOf(language)('orders.now.heading') }))
/** The section with the chain status of an order whose next step doesn’t depend on the chain. */
const evidence = () => within(screen.getByRole('region', { name: t('chainPayment.heading') }))
const titleOf = (state: ChainState, said = t) =>
  state === 'awaited' ? said('orders.now.pay', { amount: '0.5 BTC' }) : said(chainTitles[state])
const figures = { due: '0.5 BTC', needed: 3 }
const texts = {
  awaited: t('chainPayment.awaited.own', figures),
  seen: t('chainPayment.seen.text'),
  confirming: t('chainPayment.confirming.text', figures),
  paid: t('chainPayment.paid.text'),
  too_little: t('chainPayment.tooLittle.text', { ...figures, apart: '0.1 BTC' }),
  too_much: t('chainPayment.tooMuch.text', { apart: '0.25 BTC' }),
  late: t('chainPayment.late.text'),
  reorganised: t('chainPayment.reorganised.text'),
}

test.each(chainStates)('describes what is seen, with what to do: %s', async (state) => {
  const { container } = await watched(chainPayments[state])
  const [status] = part().getAllByRole('status')
  expect(within(status!).getByText(titleOf(state))).toBeVisible()
  expect(within(status!).getByText(texts[state])).toBeVisible()
  const isPayable = state === 'awaited'
  // The deadline is next to what it applies to.
  const deadline = status!.textContent?.includes('2036')
  expect(deadline).toBe(isPayable || state === 'too_little')
  expect(screen.queryByRole('heading', { name: t('orders.pay.heading') }) !== null).toBe(isPayable)
  // Nobody is asked to cancel, or to pay again, while a payment is on its way.
  const isMissing = isPayable || state === 'too_little'
  expect(screen.queryByRole('button', { name: t('orders.cancel') }) !== null).toBe(isMissing)
  expect(part().queryByRole('progressbar') !== null).toBe(!isPayable)
  // The form to report a payment is collapsed; it is for members whose payment was not found.
  expect(container.querySelector('details:not([open]) form') !== null).toBe(isMissing)
})

test.each(chainStates)('the same in Chinese: %s', async (state) => {
  await watched(chainPayments[state], {}, 'cn')
  expect(part('cn').getByText(titleOf(state, wordsOf('cn')))).toBeVisible()
})

test('a payment after the cancellation is described, and needs no report', async () => {
  await watched(
    { ...chainPayments.late, address: '' },
    { status: 'cancelled', reportedLate: true, txId: chainTxId },
  )
  expect(part().getByText(t('chainPayment.late.cancelled'))).toBeVisible()
  expect(screen.queryByLabelText(t('orders.txId'))).toBeNull()
})

test('an amount still missing at the deadline is no longer requested', async () => {
  await watched({ ...chainPayments.too_little, address: '' })
  expect(
    part().getByText(t('chainPayment.tooLittle.over', { due: '0.5 BTC', apart: '0.1 BTC' })),
  ).toBeVisible()
  expect(part().queryByText(t('chainPayment.missing'))).toBeNull()
})

test('a transaction reported for a shared address is searched for, and can be corrected once found', async () => {
  const shared = aChainPayment({ isOwnAddress: false })
  await watched(shared, { txId: chainTxId })
  expect(part().getByText(t('chainPayment.awaited.reported'))).toBeVisible()
  cleanup()
  await watched(
    { ...shared, transactions: [aTransaction({ state: 'confirmed', height: 1 })] },
    { txId: chainTxId },
  )
  expect(part().getByRole('link', { name: 'contact us' })).toHaveAttribute('href', '#messages')
  cleanup()
  await watched({ ...chainPayments.seen, isOwnAddress: false }, { txId: chainTxId })
  expect(screen.getByText(t('chainPayment.byHand.correct'), { selector: 'summary' })).toBeVisible()
})

test.each(['en', 'cn'] as const)(
  'offers at the top to pay again or to cancel after the network dropped a payment: %s',
  async (language) => {
    const said = wordsOf(language)
    const dropped = { ...chainPayments.awaited, droppedAt: '2026-11-22T10:00:00.000Z' }
    await watched(dropped, { txId: chainTxId }, language === 'cn' ? 'cn' : undefined)
    const [status] = part(language).getAllByRole('status')
    expect(within(status!).getByText(said('chainPayment.dropped'))).toBeVisible()
    if (language === 'en') expect(status).toHaveTextContent('Your payment was dropped. Pay again or cancel.')
    expect(status).toHaveTextContent('2036')
    expect(part(language).getByRole('link', { name: said('orders.now.payAgain') })).toHaveAttribute(
      'href',
      '#how-to-pay',
    )
    expect(document.querySelector('#how-to-pay')).toBeVisible()
    const cancels = screen.getAllByRole('button', { name: said('orders.cancel') })
    expect(cancels).toEqual([part(language).getByRole('button', { name: said('orders.cancel') })])
  },
)

test('a dropped payment can’t be sent again after the deadline', async () => {
  await watched(
    { ...chainPayments.awaited, address: '', droppedAt: '2026-11-22T10:00:00.000Z' },
    { txId: chainTxId },
  )
  expect(part().getByText(t('chainPayment.droppedLate'))).toBeVisible()
  expect(part().queryByRole('link', { name: t('orders.now.payAgain') })).toBeNull()
})

test('a dispute takes precedence over the state on the chain', async () => {
  await watched(chainPayments.confirming, { disputed: true })
  expect(part().getByText(t('orders.report.disputed'))).toBeVisible()
  expect(evidence().getByText(t('chainPayment.confirming'))).toBeVisible()
})

test('confirmations are a progress bar with a name, a value, and text', async () => {
  await watched(chainPayments.confirming)
  const progress = part().getByRole('progressbar', { name: t('chainPayment.confirmations') })
  expect(progress).toHaveAttribute('aria-valuenow', '1')
  expect(progress).toHaveAttribute('aria-valuemax', '3')
  expect(progress).toHaveAttribute('aria-valuetext', '1 of 3 confirmations')
})

test('each transaction shows its full ID, amount, and status, and can be copied', async () => {
  const { user } = await watched(chainPayments.seen)
  const [row] = within(part().getByRole('list', { name: t('chainPayment.transactions') })).getAllByRole(
    'listitem',
  )
  expect(row).toHaveTextContent(chainTxId)
  expect(row).toHaveTextContent('0.5 BTC')
  expect(row).toHaveTextContent(t('chainPayment.transaction.pool'))
  await user.click(within(row!).getByRole('button', { name: /^Copy: c0ffee/ }))
  expect(await navigator.clipboard.readText()).toBe(chainTxId)
  expect(part().getByText(t('orders.pay.copied', { name: t('orders.txId') }))).toBeVisible()
})

test('the missing amount and the address can be copied, and the full amount is not requested again', async () => {
  const { user, container } = await watched(chainPayments.too_little)
  await user.click(
    part().getByRole('button', { name: t('orders.pay.copyNamed', { name: t('chainPayment.missing') }) }),
  )
  expect(await navigator.clipboard.readText()).toBe('0.1')
  expect(container).not.toHaveTextContent(t('orders.pay.lead'))
  expect(screen.queryByRole('link', { name: t('orders.pay.open') })).toBeNull()
})

test('says so while the node is unreachable, and opens the form to report a payment', async () => {
  const { container } = await watched(aChainPayment({ isStale: true }))
  expect(part().getByText(t('chainPayment.stale', { coin: 'BTC' }))).toBeVisible()
  expect(container.querySelector('details[open] form')).not.toBeNull()
})

test('at a shared address only reported transactions are followed, and the form stays visible', async () => {
  const { container } = await watched(aChainPayment({ isOwnAddress: false }))
  expect(part().getByText(t('chainPayment.awaited.shared', figures))).toBeVisible()
  expect(screen.getByRole('heading', { name: t('orders.report.heading') })).toBeVisible()
  expect(container.querySelector('details form')).toBeNull()
})

test.each(['not watched', 'not known'] as const)(
  'an order whose chain is %s is shown as before',
  async (which) => {
    await signedIn()
    answering(getOrder, placed)
    answering(getOrderPayment, paying)
    if (which === 'not watched') answering(getChainPayment, { payment: null })
    else refusing(getChainPayment, 'unavailable')
    show(<OrderDetail id={placed._id} />)
    expect(await screen.findByRole('heading', { name: t('orders.pay.heading') })).toBeVisible()
    expect(screen.getByRole('heading', { name: t('orders.report.heading') })).toBeVisible()
    expect(screen.queryByText(t('chainPayment.heading'))).toBeNull()
  },
)

test('an open page updates itself and reloads the order', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
  try {
    await watched(chainPayments.awaited)
    answering(getChainPayment, { payment: chainPayments.seen })
    await act(() => vi.advanceTimersByTimeAsync(11_000))
    await waitFor(() => expect(part().getByText(t('chainPayment.seen'))).toBeVisible())
    answering(getOrder, { ...placed, status: 'completed' })
    answering(getOrderPayment, { ...paying, status: 'completed' })
    answering(getChainPayment, { payment: chainPayments.paid })
    await act(() => vi.advanceTimersByTimeAsync(11_000))
    await waitFor(() => expect(evidence().getByText(t('chainPayment.paid.completed'))).toBeVisible())
    // The order is closed, so polling has stopped.
    const asked = callsOf(getChainPayment).length
    await act(() => vi.advanceTimersByTimeAsync(600_000))
    expect(callsOf(getChainPayment)).toHaveLength(asked)
  } finally {
    vi.useRealTimers()
  }
})

test('shows at once what the server reports, even if the chain isn’t monitored', async () => {
  const send = streaming(followOrders)
  await signedIn()
  answering(getOrder, placed)
  answering(getOrderPayment, paying)
  answering(getChainPayment, { payment: null })
  show(<OrderDetail id={placed._id} />)
  expect(await screen.findByText(t('orders.now.pay.text'))).toBeVisible()
  send(': open\n\n')
  // The page reads the order once to catch up on changes before the stream was open.
  await waitFor(() => expect(callsOf(getOrder)).toHaveLength(2))
  answering(getOrder, { ...placed, txId: chainTxId, updatedAt: '2026-11-22T09:30:00.000Z' })
  answering(getOrderPayment, { ...paying, txId: chainTxId, canWithdraw: false })
  send('event: order\ndata: another\n\n: beat\n\n')
  // An event can arrive in pieces.
  send('event: order\nda')
  send(`ta: ${placed._id}\n\n`)
  expect(await screen.findByText(t('orders.now.verifying.text'))).toBeVisible()
  expect(callsOf(getOrder)).toHaveLength(3)
})

test('a failed poll is reported, keeps the page, and is retried', async () => {
  const { user } = await watched(chainPayments.seen)
  refusing(getChainPayment, 'unavailable')
  await user.click(part().getByRole('button', { name: t('chainPayment.again') }))
  expect(await part().findByText(t('chainPayment.cutOff'))).toBeVisible()
  expect(part().getByText(t('chainPayment.seen'))).toBeVisible()
  answering(getChainPayment, { payment: chainPayments.confirming })
  await user.click(part().getByRole('button', { name: t('chainPayment.again') }))
  expect(await part().findByText(t('chainPayment.confirming'))).toBeVisible()
  expect(part().queryByText(t('chainPayment.cutOff'))).toBeNull()
})

test('a closed order awaits no payment, and one paid in another way shows no chain status', async () => {
  await watched({ ...chainPayments.awaited, address: '' }, { status: 'cancelled' })
  expect(part().getByText(t('orders.now.cancelled'))).toBeVisible()
  expect(evidence().getByText(t('chainPayment.none'))).toBeVisible()
  expect(evidence().queryByText(t('chainPayment.awaited'))).toBeNull()
  cleanup()
  await watched({ ...chainPayments.awaited, address: '' }, { status: 'completed' })
  expect(screen.queryByRole('region', { name: t('chainPayment.heading') })).toBeNull()
})

test("an order that can't be loaded is a page with a heading", async () => {
  await signedIn()
  refusing(getOrder, 'not_found')
  refusing(getOrderPayment, 'not_found')
  refusing(getChainPayment, 'not_found')
  show(<OrderDetail id="nothing" />)
  expect(await screen.findByRole('heading', { level: 1, name: t('orders.one') })).toBeVisible()
})
