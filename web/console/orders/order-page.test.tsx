// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getOrderChainPayment } from '#contract/money/chain-payments.ts'
import {
  declineOrderCompletion,
  getConsoleOrder,
  type ConsoleOrderDetail,
} from '#contract/money/console-orders.ts'
import { updateOrder } from '#contract/money/order-desk.ts'
import { callsOf, answering, answeringInTurn, refusing } from '#tests/setup/stub-api.ts'
import { endUndoTime, aMember, show, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import orderPage from './order-page.tsx'

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
  kyc: 'approved',
  explorer: null,
  round: null,
  bonusPercent: '0',
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

async function opened(shown: ConsoleOrderDetail, rights: object = { manageFinance: 2 }) {
  answering(getConsoleOrder, shown)
  answering(getOrderChainPayment, { payment: null })
  await signedIn(rights)
  const view = show(<orderPage.View data={undefined} params={{ id: 'o1' }} search={new URLSearchParams()} />)
  await screen.findByRole('heading', { name: t('consoleOrders.one', { reference: 'COIN-AAAAA-BBBBB' }) })
  return view
}
const button = (name: Parameters<typeof t>[0]) => screen.queryByRole('button', { name: t(name as never) })

test('the amount received is next to the amount due, with the signed difference', async () => {
  await opened(detail())
  expect(screen.getByText('−0.1 ETH')).toBeVisible()
  expect(screen.getByText('1.5 ETH')).toBeVisible()
})

test('the facts name the round and the bonus', async () => {
  const view = await opened(detail({ round: { en: 'Public 1', cn: '公开第一轮' }, bonusPercent: '12.5' }))
  expect(view.container).toHaveTextContent(`${t('consoleOrders.round')}Public 1`)
  expect(view.container).toHaveTextContent(t('consoleOrders.bonus.value', { percent: '12.5' }))
})

test('transactions and addresses lead to the block explorer, and other references do not', async () => {
  const txId = `0x${'ab'.repeat(32)}`
  const steps: ConsoleOrderDetail['steps'] = [
    {
      kind: 'payment_reported',
      at: '2026-05-01T10:00:00.000Z',
      by: null,
      reason: '',
      txId: 'Bank transfer of May 1',
      changes: [],
    },
  ]
  await opened(
    detail(
      { explorer: 'https://explorer.example', receivingAddress: '0x' + 'cd'.repeat(20), steps },
      { txId },
    ),
  )
  const hrefs = screen
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))
    .filter((href) => href?.startsWith('https://explorer.example'))
  expect(hrefs).toEqual([
    `https://explorer.example/tx/${txId}`,
    `https://explorer.example/address/0x${'cd'.repeat(20)}`,
  ])
  expect(screen.getByText('Bank transfer of May 1')).toBeVisible()
})

test('the identity status leads to the member’s cases', async () => {
  await opened(detail({ kyc: 'rejected' }))
  expect(screen.getByText(t('consoleMembers.kyc.rejected'))).toBeVisible()
  expect(screen.getByRole('link', { name: t('consoleOrders.identity.cases') })).toHaveAttribute(
    'href',
    expect.stringMatching(/status=&q=buyer%40example\.org$/),
  )
})

test.each([
  ['their own', detail({ forbids: 'own' }), { manageFinance: 2 }, 'consoleOrders.own'],
  ['others’, with level 1', detail(), { manageFinance: 1 }, 'consoleOrders.readOnly'],
] as const)(
  'a member who may not act on %s is told in advance, and gets no actions',
  async (_, shown, rights, why) => {
    await opened(shown, rights)
    expect(screen.getByText(t(why))).toBeVisible()
    expect(button('consoleOrders.complete')).toBeNull()
    expect(button('consoleOrders.record')).toBeNull()
  },
)

test('the second person sees who made a proposal, and can approve or decline it', async () => {
  const proposal = {
    by: { id: 'x', name: 'Ada' },
    at: '2026-05-01T11:00:00.000Z',
    reason: 'Seen.',
    counts: true,
    correction: null,
  }
  const { user } = await opened(detail({ takesTwo: true, twoPersonsFrom: '50000', proposal }))
  expect(screen.getByText(/proposed by Ada/)).toBeVisible()
  expect(button('consoleOrders.complete.second')).toBeVisible()
  answering(declineOrderCompletion, detail().order)
  await user.click(button('consoleOrders.decline')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByRole('textbox'), 'Not on the chain.')
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.decline.confirm') }))
  await endUndoTime()
  expect(await screen.findByText(t('consoleOrders.decline.done'))).toBeVisible()
  expect(callsOf(declineOrderCompletion)).toMatchObject([
    { body: { reason: 'Not on the chain.', updatedAt: '2026-05-01T11:00:00.000Z' } },
  ])
})

test('the author of a proposal withdraws it under that name', async () => {
  const proposal = {
    by: { id: aMember.id, name: 'Ada' },
    at: '2026-05-01T11:00:00.000Z',
    reason: 'Seen.',
    counts: true,
    correction: null,
  }
  const { user } = await opened(detail({ takesTwo: true, twoPersonsFrom: '50000', proposal }))
  answering(declineOrderCompletion, detail().order)
  await user.click(button('consoleOrders.decline.own')!)
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(t('consoleOrders.decline.own.text'))).toBeVisible()
  await user.type(dialog.getByRole('textbox'), 'Wrong order.')
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.decline.own.confirm') }))
  await endUndoTime()
  expect(await screen.findByText(t('consoleOrders.decline.own.done'))).toBeVisible()
})

test('an order whose withdrawal awaits a decision is not completed', async () => {
  await opened(detail({ isBeingWithdrawn: true }))
  expect(button('consoleOrders.record')).toBeVisible()
  expect(button('consoleOrders.complete')).toBeNull()
})

test.each([
  ['an unpaid order', {}, true],
  ['an order with a recorded amount', { paidAmount: '1.4' }, false],
  ['an order with a recorded date', { paidAt: '2026-05-01T00:00:00.000Z' }, false],
  ['an order that is being withdrawn', { isBeingWithdrawn: true }, false],
])('the deadline of %s can be extended only if it applies', async (_, change, isOffered) => {
  const payBefore = '2026-05-04T10:00:00.000Z'
  await opened(detail({ paidAmount: null, difference: null, ...change }, { payBefore }))
  expect(button('consoleOrders.extend') !== null).toBe(isOffered)
})

test('cancelling a paid order requires a reason', async () => {
  const { user } = await opened(detail({ cancellingNeeds: 'reason' }))
  await user.click(button('consoleOrders.cancel')!)
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(t('consoleOrders.reason.needsPaid'))).toBeVisible()
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.cancel.confirm') }))
  expect(dialog.getByRole('textbox')).toBeInvalid()
  expect(callsOf(updateOrder)).toHaveLength(0)
  await user.type(dialog.getByRole('textbox'), 'From a blocked wallet.')
  answering(updateOrder, detail().order)
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.cancel.confirm') }))
  await endUndoTime()
  expect(callsOf(updateOrder)).toMatchObject([{ body: { status: 'cancelled' } }])
  await act(async () => {})
})

test('a paid order that takes two people offers no cancellation and says why', async () => {
  await opened(detail({ cancellingNeeds: 'withdrawal' }))
  expect(button('consoleOrders.cancel')).toBeNull()
  expect(screen.getByText(t('consoleOrders.cancel.withdrawal'))).toBeVisible()
})

test('a stale form shows both states, keeps input, and then acts on the current one', async () => {
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
  answering(updateOrder, { ...changed.order, status: 'completed' })
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }))
  expect(await screen.findByText(t('consoleOrders.complete.done'))).toBeVisible()
  expect(callsOf(updateOrder).at(-1)).toMatchObject({
    body: { status: 'completed', reason: 'Fees.', updatedAt: '2026-05-01T12:00:00.000Z' },
  })
  await act(async () => {})
})

test('if a colleague proposed the same in the meantime, the officer is asked again and nothing is completed', async () => {
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
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.complete.propose.confirm') }))
  expect(await screen.findByText(t('consoleOrders.stale.other'))).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(button('consoleOrders.complete.second')).toBeVisible()
  expect(callsOf(updateOrder)).toHaveLength(1)
})

test("another order's transaction is recorded only if confirmed with a reason", async () => {
  const { user } = await opened(detail({}, { txId: '' }))
  refusing(updateOrder, 'conflict', { errors: [{ path: 'txId', code: 'tx_used', message: 'used' }] })
  await user.click(button('consoleOrders.record')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.txId') }), '0xbb')
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.record.confirm') }))
  await user.click(await dialog.findByRole('checkbox', { name: t('consoleOrders.record.shared') }))
  answering(updateOrder, detail().order)
  const confirm = () => user.click(dialog.getByRole('button', { name: t('consoleOrders.record.confirm') }))
  await confirm()
  const reason = dialog.getByRole('textbox', { name: t('consoleOrders.reason') })
  expect(reason).toBeInvalid()
  expect(callsOf(updateOrder)).toHaveLength(1)
  await user.type(reason, 'One transaction, two outputs.')
  await confirm()
  expect(callsOf(updateOrder).at(-1)).toMatchObject({ body: { txId: '0xbb', sharesTransaction: true } })
})

test('removing a recorded payment asks for a reason that the member reads', async () => {
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

test('only edited fields of a payment are recorded, even after someone else recorded another one', async () => {
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
