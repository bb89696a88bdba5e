// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getOrderChainPayment } from '#contract/chain-payments.ts'
import { declineOrderCompletion, getConsoleOrder, type ConsoleOrderDetail } from '#contract/console-orders.ts'
import { updateOrder } from '#contract/order-desk.ts'
import { callsOf, answering, answeringInTurn, refusing } from '#tests/setup/stub-api.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import orderPage from './order-page.tsx'

const t = wordsOf('en')

const detail = (change: Partial<ConsoleOrderDetail> = {}, order: object = {}): ConsoleOrderDetail => ({
  id: 'o1',
  order: {
    _id: 'o1',
    memberId: 'm1',
    email: '',
    ethAddress: '',
    btcAddress: '',
    fabAddress: 'F1',
    payMethod: 'ETH',
    amount: 1.5,
    fabQty: 60000,
    status: 'pending',
    exactAmount: '1.5',
    exactFabQty: '60000',
    rate: null,
    reference: 'COIN-AAAAA-BBBBB',
    txId: '0xaa',
    currency: 'ETH',
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
  flags: [],
  receivingAddress: '',
  payChain: null,
  paidAmount: '1.4',
  paidAt: null,
  difference: '-0.1',
  forbids: null,
  sameTransaction: [],
  twoPersonsFrom: null,
  takesTwo: false,
  tolerancePercent: '1',
  proposal: null,
  steps: [],
  ...change,
})

async function opened(shown: ConsoleOrderDetail, rights: object = { manageFinance: 2 }) {
  answering(getConsoleOrder, shown)
  answering(getOrderChainPayment, { payment: null })
  await signedIn(rights)
  const view = show(<orderPage.View data={undefined} params={{ id: 'o1' }} search={new URLSearchParams()} />)
  await screen.findByRole('heading', { name: t('consoleOrders.one', { reference: 'COIN-AAAAA-BBBBB' }) })
  return view
}
const button = (name: Parameters<typeof t>[0]) => screen.queryByRole('button', { name: t(name as never) })

test('what was received stands beside what is due, with the difference and its sign', async () => {
  await opened(detail())
  expect(screen.getByText('−0.1 ETH')).toBeVisible()
  expect(screen.getByText('1.5 ETH')).toBeVisible()
})

test.each([
  ['their own', detail({ forbids: 'own' }), { manageFinance: 2 }, 'consoleOrders.own'],
  ['others’, with level 1', detail(), { manageFinance: 1 }, 'consoleOrders.readOnly'],
] as const)(
  'whoever may not act on %s is told before, and offered nothing',
  async (_, shown, rights, why) => {
    await opened(shown, rights)
    expect(screen.getByText(t(why))).toBeVisible()
    expect(button('consoleOrders.complete')).toBeNull()
    expect(button('consoleOrders.record')).toBeNull()
  },
)

test('of a proposal the second is told who made it, and can confirm or decline', async () => {
  const proposal = {
    by: { id: 'x', name: 'Ada' },
    at: '2026-05-01T11:00:00.000Z',
    reason: 'Seen.',
    counts: true,
    correction: null,
  }
  const { user } = await opened(detail({ takesTwo: true, twoPersonsFrom: '50000', proposal }))
  expect(screen.getByText(/Ada proposed/)).toBeVisible()
  expect(button('consoleOrders.complete.second')).toBeVisible()
  answering(declineOrderCompletion, detail().order)
  await user.click(button('consoleOrders.decline')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByRole('textbox'), 'Not on the chain.')
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.decline.confirm') }))
  expect(await screen.findByText(t('consoleOrders.decline.done'))).toBeVisible()
  expect(callsOf(declineOrderCompletion)).toMatchObject([
    { body: { reason: 'Not on the chain.', updatedAt: '2026-05-01T11:00:00.000Z' } },
  ])
})

test('a stale form shows what was seen and what is, keeps what was typed, and then acts on what is', async () => {
  const { user } = await opened(detail())
  const changed = detail({}, { fabAddress: 'F2', updatedAt: '2026-05-01T12:00:00.000Z' })
  answeringInTurn(getConsoleOrder, changed)
  refusing(updateOrder, 'conflict')
  await user.click(button('consoleOrders.complete')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByRole('textbox'), 'Fees.')
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }))
  const row = within(await dialog.findByRole('row', { name: /F1/ }))
  expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['F1', 'F2'])
  expect(dialog.getByRole('textbox')).toHaveValue('Fees.')
  answering(updateOrder, changed.order)
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }))
  expect(await screen.findByText(t('consoleOrders.complete.done'))).toBeVisible()
  expect(callsOf(updateOrder).at(-1)).toMatchObject({
    body: { status: 'completed', reason: 'Fees.', updatedAt: '2026-05-01T12:00:00.000Z' },
  })
  await act(async () => {})
})

test('who was about to propose what a colleague proposes meanwhile is asked anew, and completes nothing', async () => {
  const { user } = await opened(detail({ takesTwo: true, twoPersonsFrom: '50000' }))
  const proposal = {
    by: { id: 'x', name: 'Ada' },
    at: '2026-05-01T12:00:00.000Z',
    reason: '',
    counts: true,
    correction: null,
  }
  const now = { takesTwo: true, twoPersonsFrom: '50000', proposal }
  answering(getConsoleOrder, detail(now, { updatedAt: '2026-05-01T12:00:00.000Z' }))
  refusing(updateOrder, 'conflict')
  await user.click(button('consoleOrders.complete.propose')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByRole('textbox'), 'Fees.')
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.complete.proposeConfirm') }))
  expect(await screen.findByText(t('consoleOrders.stale.other'))).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(button('consoleOrders.complete.second')).toBeVisible()
  expect(callsOf(updateOrder)).toHaveLength(1)
})

test('a transaction of another order is recorded only where that is said, with a reason', async () => {
  const { user } = await opened(detail({}, { txId: '' }))
  refusing(updateOrder, 'conflict', { errors: [{ path: 'txId', code: 'tx_used', message: 'used' }] })
  await user.click(button('consoleOrders.record')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.txId') }), '0xbb')
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.record.confirm') }))
  await user.click(await dialog.findByRole('checkbox', { name: t('consoleOrders.record.shared') }))
  answering(updateOrder, detail().order)
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.record.confirm') }))
  expect(callsOf(updateOrder).at(-1)).toMatchObject({ body: { txId: '0xbb', sharesTransaction: true } })
})

test('whoever takes a recorded payment back is asked for a reason that the member reads', async () => {
  const { user } = await opened(detail({ paidAt: '2026-05-01T00:00:00.000Z' }, { txId: '' }))
  refusing(updateOrder, 'validation_failed', {
    errors: [{ path: 'reason', code: 'required', message: 'why' }],
  })
  await user.click(button('consoleOrders.record')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.clear(dialog.getByLabelText(t('consoleOrders.record.amount')))
  await user.clear(dialog.getByLabelText(t('consoleOrders.record.at')))
  const confirm = () => user.click(dialog.getByRole('button', { name: t('consoleOrders.record.confirm') }))
  await confirm()
  const why = dialog.getByRole('textbox', { name: t('consoleOrders.reason') })
  await waitFor(() => expect(why).toBeInvalid())
  await user.type(why, 'Of another order.')
  answering(updateOrder, detail().order)
  await confirm()
  expect(callsOf(updateOrder).at(-1)).toMatchObject({
    body: { paidAmount: null, paidAt: null, reason: 'Of another order.' },
  })
  await act(async () => {})
})

test('of a payment only what was typed is recorded, also after somebody else recorded another one', async () => {
  const { user } = await opened(detail({ paidAt: '2026-05-01T00:00:00.000Z' }))
  await user.click(button('consoleOrders.record')!)
  const dialog = within(screen.getByRole('dialog'))
  const now = detail({ paidAmount: '1.5' }, { txId: '0xcc', updatedAt: '2026-05-01T12:00:00.000Z' })
  answeringInTurn(getConsoleOrder, now)
  refusing(updateOrder, 'conflict')
  const why = dialog.getByRole('textbox', { name: t('consoleOrders.reason') })
  await user.clear(dialog.getByLabelText(t('consoleOrders.record.at')))
  await user.type(dialog.getByLabelText(t('consoleOrders.record.at')), '2026-05-02')
  await user.type(why, 'A day later.')
  const confirm = () => user.click(dialog.getByRole('button', { name: t('consoleOrders.record.confirm') }))
  await confirm()
  await dialog.findByRole('row', { name: /0xcc/ })
  answering(updateOrder, now.order)
  await confirm()
  expect(callsOf(updateOrder).map(({ body }) => body)).toEqual(
    ['2026-05-01T11:00:00.000Z', '2026-05-01T12:00:00.000Z'].map((updatedAt) => ({
      _id: 'o1',
      updatedAt,
      paidAt: '2026-05-02T00:00:00.000Z',
      reason: 'A day later.',
    })),
  )
  await act(async () => {})
})
