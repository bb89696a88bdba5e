// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chainStates, getOrderChainPayment, type ChainPayment } from '#contract/money/chain-payments.ts'
import { getConsoleOrder, type ConsoleOrderDetail } from '#contract/money/console-orders.ts'
import { updateOrder } from '#contract/money/order-desk.ts'
import { aChainPayment, chainPayments, chainTxId } from '#tests/setup/a-chain-payment.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { chainLabels } from './chain-evidence.tsx'
import orderPage from '../order-page.tsx'

const t = wordsOf('en')

const detail = (change: Partial<ConsoleOrderDetail> = {}, order: object = {}): ConsoleOrderDetail => ({
  id: 'o1',
  notes: [],
  assignee: null,
  order: {
    _id: 'o1',
    memberId: 'm1',
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
    reference: 'COIN-AAAAA-BBBBB',
    txId: '',
    currency: 'BTC',
    payBefore: null,
    reportedLate: false,
    disputed: false,
    sharesTransaction: false,
    createdAt: '2026-05-01T10:00:00.000Z',
    updatedAt: '2026-05-01T11:00:00.000Z',
    ...order,
  },
  memberEmail: 'buyer@example.org',
  memberName: '',
  kyc: 'approved',
  explorer: null,
  round: null,
  bonusPercent: '0',
  flags: [],
  receivingAddress: '',
  payChain: 'bitcoin',
  paidAmount: null,
  paidAt: null,
  difference: null,
  forbids: null,
  sameTransaction: [],
  twoPersonsFrom: null,
  takesTwo: false,
  secondPersonCause: null,
  tolerancePercent: '1',
  provenAmount: null,
  hasLeftChain: false,
  capRoom: null,
  canRefund: false,
  isBeingWithdrawn: false,
  cancellingNeeds: 'nothing',
  proposal: null,
  steps: [],
  ...change,
})

async function opened(chain: ChainPayment | null, of = detail(), manageFinance: 1 | 2 = 2) {
  answering(getConsoleOrder, of)
  answering(getOrderChainPayment, { payment: chain })
  await signedIn({ manageFinance })
  const view = show(<orderPage.View data={undefined} params={{ id: 'o1' }} search={new URLSearchParams()} />)
  await screen.findByRole('heading', { level: 1, name: /COIN-AAAAA/ })
  return view
}
const part = () => within(screen.getByRole('region', { name: t('consoleOrders.chain') }))
const onward = () => screen.queryByRole('button', { name: t('consoleOrders.chain.complete') })

test.each(chainStates)(
  "the evidence shows the payment's status, and offers completion only if it is ready: %s",
  async (state) => {
    await opened(chainPayments[state])
    expect(part().getByText(t(chainLabels[state]))).toBeVisible()
    expect(part().getByText(t('consoleOrders.chain.own'))).toBeVisible()
    expect(onward() !== null).toBe(state === 'paid')
    expect(part().queryByText(t('consoleOrders.chain.ready')) !== null).toBe(state === 'paid')
  },
)

test('the amount received is next to the amount due, with each transaction', async () => {
  await opened(chainPayments.too_little)
  expect(part().getByText('−0.1 BTC')).toBeVisible()
  const [row] = part().getAllByRole('listitem')
  for (const words of [
    chainTxId,
    '0.4 BTC',
    t('chainPayment.transaction.final'),
    t('chainPayment.transaction.block', { height: '900000' }),
  ])
    expect(row).toHaveTextContent(words)
})

test("completing starts with the chain's data, and sends what the officer keeps of it", async () => {
  const { user } = await opened(chainPayments.paid, detail({ provenAmount: '0.5' }))
  await user.click(onward()!)
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByLabelText(t('consoleOrders.txId'))).toHaveValue(chainTxId)
  expect(dialog.getByLabelText(t('consoleOrders.record.at'))).toHaveValue('2026-11-22')
  const amount = dialog.getByLabelText(t('consoleOrders.record.amount'))
  expect(amount).toHaveValue('0.5')
  answering(updateOrder, detail({}, { status: 'completed' }).order)
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }))
  expect(await screen.findByText(t('consoleOrders.complete.done'))).toBeVisible()
  expect(callsOf(updateOrder)).toMatchObject([
    {
      body: {
        _id: 'o1',
        status: 'completed',
        txId: chainTxId,
        paidAmount: '0.5',
        paidAt: '2026-11-22T00:00:00.000Z',
        reason: '',
        updatedAt: '2026-05-01T11:00:00.000Z',
      },
    },
  ])
})

test('recorded data is not requested again, and a second approval changes nothing', async () => {
  const known = { paidAmount: '0.5', paidAt: '2026-11-22T00:00:00.000Z', difference: '0' }
  const { user } = await opened(chainPayments.paid, detail(known, { txId: chainTxId }))
  await user.click(onward()!)
  expect(within(screen.getByRole('dialog')).getAllByRole('textbox')).toHaveLength(1)
})

test('a second approval confirms the proposal and adds nothing', async () => {
  const proposal = {
    by: { id: 'x', name: 'Ada' },
    at: '2026-05-01T11:00:00.000Z',
    reason: '',
    counts: true,
    correction: null,
  }
  const { user } = await opened(chainPayments.paid, detail({ takesTwo: true, proposal }))
  await user.click(screen.getByRole('button', { name: t('consoleOrders.complete.second') }))
  expect(within(screen.getByRole('dialog')).getAllByRole('textbox')).toHaveLength(1)
})

test('completing an order that is not paid on chain shows a warning and starts empty', async () => {
  const { user } = await opened(chainPayments.confirming)
  await user.click(screen.getByRole('button', { name: t('consoleOrders.complete') }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(t('consoleOrders.chain.notPaid'))).toBeVisible()
  for (const field of dialog.getAllByRole('textbox')) expect(field).toHaveValue('')
})

test('a final partial payment is the starting value for recording it', async () => {
  const { user } = await opened(chainPayments.too_little)
  await user.click(screen.getByRole('button', { name: t('consoleOrders.record') }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByLabelText(t('consoleOrders.txId'))).toHaveValue(chainTxId)
  expect(dialog.getByLabelText(t('consoleOrders.record.amount'))).toHaveValue('0.4')
})

test('with level 1, or for one’s own order, the evidence offers no action', async () => {
  await opened(chainPayments.paid, detail(), 1)
  expect(part().getByText(t('consoleOrders.chain.ready'))).toBeVisible()
  expect(onward()).toBeNull()
})

test('says if the node is unreachable, and identifies a shared address', async () => {
  await opened(aChainPayment({ isStale: true, isOwnAddress: false }))
  expect(part().getByText(t('consoleOrders.chain.stale', { coin: 'BTC' }))).toBeVisible()
  expect(part().getByText(t('consoleOrders.chain.shared'))).toBeVisible()
})

test.each(['not watched', 'not known'] as const)(
  'an order whose chain is %s is shown as before',
  async (which) => {
    answering(getConsoleOrder, detail())
    if (which === 'not watched') answering(getOrderChainPayment, { payment: null })
    else refusing(getOrderChainPayment, 'unavailable')
    await signedIn({ manageFinance: 2 })
    show(<orderPage.View data={undefined} params={{ id: 'o1' }} search={new URLSearchParams()} />)
    expect(await screen.findByRole('button', { name: t('consoleOrders.complete') })).toBeVisible()
    expect(screen.queryByText(t('consoleOrders.chain'))).toBeNull()
  },
)

test.each(['payment_gone', 'payment_unexpected'] as const)(
  'a payment of a closed order with the flag %s can be recorded',
  async (flag) => {
    const completed = { status: 'completed' }
    const { user } = await opened(null, detail({ flags: [flag], paidAmount: '0.5' }, completed))
    answering(updateOrder, detail({}, completed).order)
    await user.click(screen.getByRole('button', { name: t('consoleOrders.record') }))
    const dialog = within(await screen.findByRole('dialog'))
    const amount = dialog.getByLabelText(t('consoleOrders.record.amount'))
    await user.clear(amount)
    await user.type(amount, '0')
    await user.type(dialog.getByLabelText(t('consoleOrders.reason')), 'It left the chain.')
    await user.click(dialog.getByRole('button', { name: t('consoleOrders.record.confirm') }))
    expect(callsOf(updateOrder)).toMatchObject([{ body: { paidAmount: '0', reason: 'It left the chain.' } }])
  },
)

test('a payment can be recorded for a closed order, even without such a flag', async () => {
  await opened(null, detail({}, { status: 'completed' }))
  expect(screen.getByRole('button', { name: t('consoleOrders.correct') })).toBeVisible()
  expect(screen.getByRole('button', { name: t('consoleOrders.record') })).toBeEnabled()
})
