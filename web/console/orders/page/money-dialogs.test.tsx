// @vitest-environment happy-dom
import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { getOrderChainPayment } from '#contract/money/chain-payments.ts'
import { getConsoleOrder, type ConsoleOrderDetail } from '#contract/money/console-orders.ts'
import { openRefund } from '#contract/money/console-withdrawals.ts'
import { updateOrder } from '#contract/money/order-desk.ts'
import { callsOf, answering, refusing } from '#tests/setup/stub-api.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
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

const table = (within: { getByRole: typeof screen.getByRole }) =>
  [...within.getByRole('table').querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  )

test('completing shows due, received, difference, transaction, and destination, and asks for missing data', async () => {
  const unpaid = detail({ paidAmount: null, paidAt: null, difference: null }, { txId: '' })
  const { user } = await opened(unpaid)
  await user.click(button('consoleOrders.complete')!)
  const dialog = within(screen.getByRole('dialog'))
  for (const shown of [
    '1.5 ETH',
    t('consoleOrders.received.none'),
    t('consoleOrders.complete.noTransaction'),
    'F1',
  ])
    expect(dialog.getByText(shown)).toBeVisible()
  const confirm = () => user.click(dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }))
  await confirm()
  const why = dialog.getByRole('textbox', { name: t('consoleOrders.reason.member') })
  expect(why).toBeInvalid()
  expect(dialog.getByText(t('consoleOrders.reason.needsStatement'))).toBeVisible()
  expect(callsOf(updateOrder)).toHaveLength(0)
  await user.type(dialog.getByLabelText(t('consoleOrders.record.amount')), '1,4')
  expect(dialog.getByText('−0.1 ETH')).toBeVisible()
  await user.type(why, 'Seen in the account.')
  answering(updateOrder, unpaid.order)
  await confirm()
  expect(callsOf(updateOrder)).toMatchObject([
    { body: { status: 'completed', paidAmount: '1.4', reason: 'Seen in the account.' } },
  ])
  await act(async () => {})
})

test.each([
  { provenAmount: '1.5', help: 'consoleOrders.reason.notNeeded' },
  { provenAmount: null, help: 'consoleOrders.reason.needsStatement' },
] as const)('asks for a reason unless the chain proves the amount: %o', async ({ provenAmount, help }) => {
  const { user } = await opened(detail({ paidAmount: null, difference: null, provenAmount }))
  await user.click(button('consoleOrders.complete')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.record.amount') }), '1.5')
  expect(dialog.getByText(t(help))).toBeVisible()
})

test('asks for the amount and a reason again if the recorded payment left the chain', async () => {
  const { user } = await opened(detail({ hasLeftChain: true }))
  await user.click(button('consoleOrders.complete')!)
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.record.amount') }), '1.5')
  expect(dialog.getByText(t('consoleOrders.reason.needsGone'))).toBeVisible()
})

test('asks for a reason only if the difference is beyond the tolerance', async () => {
  const { user } = await opened(detail({ tolerancePercent: '10' }))
  await user.click(button('consoleOrders.complete')!)
  expect(within(screen.getByRole('dialog')).getByText(t('consoleOrders.reason.notNeeded'))).toBeVisible()
  await user.click(screen.getByRole('button', { name: t('forms.cancel') }))
})

test('a partial payment says before it is sent that a reason is required, and why', async () => {
  const { user } = await opened(detail({ tolerancePercent: '1' }))
  await user.click(button('consoleOrders.complete')!)
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(t('consoleOrders.reason.needsDifference', { percent: '1' }))).toBeVisible()
  await user.click(dialog.getByRole('button', { name: t('consoleOrders.complete.confirm') }))
  expect(dialog.getByRole('textbox', { name: t('consoleOrders.reason.member') })).toBeInvalid()
  expect(callsOf(updateOrder)).toHaveLength(0)
})

test('an ambiguous amount or an invalid quantity is not sent', async () => {
  const { user } = await opened(detail())
  await user.click(button('consoleOrders.correct')!)
  const dialog = within(screen.getByRole('dialog'))
  const quantity = dialog.getByRole('textbox', { name: t('consoleOrders.quantity') })
  for (const [typed, problem] of [
    ['9,000', 'field.ambiguous_number'],
    ['9 000', 'field.number'],
  ] as const) {
    await user.clear(quantity)
    await user.type(quantity, typed)
    await user.click(dialog.getByRole('button', { name: t('consoleOrders.correct.confirm') }))
    expect(dialog.getByText(t(problem, { max: '9000' }))).toBeVisible()
  }
  expect(callsOf(updateOrder)).toHaveLength(0)
})

test('a correction is sent after its changes, and a quantity off the rate, are confirmed', async () => {
  const completed = detail({}, { status: 'completed', rate: '4000' })
  const { user } = await opened(completed)
  await user.click(button('consoleOrders.correct')!)
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(t('consoleOrders.correct.byTwo'))).toBeVisible()
  const quantity = dialog.getByRole('textbox', { name: t('consoleOrders.quantity') })
  await user.clear(quantity)
  await user.type(quantity, '9000000')
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.reason.member') }), 'Agreed.')
  expect(table(dialog)).toEqual([[t('consoleOrders.quantity'), '60,000', '9,000,000']])
  const confirm = () =>
    user.click(dialog.getByRole('button', { name: t('consoleOrders.correct.proposeConfirm') }))
  await confirm()
  expect(callsOf(updateOrder)).toHaveLength(0)
  await user.click(dialog.getByRole('checkbox', { name: t('consoleOrders.correct.isRight') }))
  await confirm()
  expect(callsOf(updateOrder)).toHaveLength(0)
  await user.click(dialog.getByRole('checkbox', { name: t('consoleOrders.correct.quantityIsMeant') }))
  answering(updateOrder, completed.order)
  await confirm()
  expect(callsOf(updateOrder)).toMatchObject([
    { body: { fabQty: '9000000', confirmsQuantity: true, reason: 'Agreed.' } },
  ])
  expect(await screen.findByText(t('consoleOrders.correct.proposed'))).toBeVisible()
})

test.each([
  ['fabAddress', 'consoleOrders.fabAddress', 'F2', { fabAddress: 'F2' }],
  ['txId', 'consoleOrders.txId', null, { txId: null }],
] as const)(
  'the second officer approves the proposed correction after comparing it: %s',
  async (field, label, after, sent) => {
    const correction = [{ field, before: 'F1', after }]
    const proposal = {
      by: { id: 'x', name: 'Ada' },
      at: '2026-05-01T11:00:00.000Z',
      reason: 'As the member wrote.',
      counts: true,
      correction,
    }
    const { user } = await opened(detail({ proposal }, { status: 'completed' }))
    expect(screen.getByText(/Correction proposed by Ada/)).toBeVisible()
    await user.click(button('consoleOrders.approve')!)
    const dialog = within(screen.getByRole('dialog'))
    expect(table(dialog)).toEqual([[t(label), 'F1', after ?? '–']])
    expect(dialog.getByText(/Correction proposed by Ada/)).toBeVisible()
    expect(
      dialog.getByText(t('consoleOrders.proposal.reason', { reason: 'As the member wrote.' })),
    ).toBeVisible()
    await user.click(dialog.getByRole('button', { name: t('consoleOrders.approve.confirm') }))
    expect(callsOf(updateOrder)).toHaveLength(0)
    await user.click(dialog.getByRole('checkbox', { name: t('consoleOrders.correct.isRight') }))
    answering(updateOrder, detail().order)
    await user.click(dialog.getByRole('button', { name: t('consoleOrders.approve.confirm') }))
    expect(callsOf(updateOrder)).toMatchObject([{ body: sent }])
    await act(async () => {})
  },
)

test('says on the page and in the dialog why a small order requires a second person', async () => {
  const change = { twoPersonsFrom: '10000', takesTwo: true, secondPersonCause: 'daily_total' } as const
  const { user } = await opened(detail({ ...change, paidAmount: '1.5' }, { exactFabQty: '60' }))
  const cause = t('consoleOrders.twoPersons.dailyTotal', { amount: '50,000' })
  expect(screen.getByText(cause)).toBeVisible()
  await user.click(button('consoleOrders.complete.propose')!)
  expect(within(screen.getByRole('dialog')).getByText(cause)).toBeVisible()
})

test('a quantity beyond the caps of the sale is sent after the excess is confirmed', async () => {
  const { user } = await opened(detail({ capRoom: '70000' }))
  await user.click(button('consoleOrders.correct')!)
  const dialog = within(screen.getByRole('dialog'))
  const excess = () => dialog.queryByRole('checkbox', { name: t('consoleOrders.correct.excessIsMeant') })
  const quantity = dialog.getByRole('textbox', { name: t('consoleOrders.quantity') })
  await user.clear(quantity)
  await user.type(quantity, '70000')
  expect(excess()).toBeNull()
  await user.type(quantity, '.5')
  expect(dialog.getByText(t('consoleOrders.correct.excess', { quantity: '0.5' }))).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.reason.member') }), 'Agreed.')
  await user.click(dialog.getByRole('checkbox', { name: t('consoleOrders.correct.isRight') }))
  const confirm = () => user.click(dialog.getByRole('button', { name: t('consoleOrders.correct.confirm') }))
  await confirm()
  expect(callsOf(updateOrder)).toHaveLength(0)
  await user.click(excess()!)
  answering(updateOrder, detail().order)
  await confirm()
  expect(callsOf(updateOrder)).toMatchObject([{ body: { fabQty: '70000.5', exceedsCap: true } }])
})

test('an excess that only the server knows is confirmed and sent again', async () => {
  const { user } = await opened(detail())
  await user.click(button('consoleOrders.correct')!)
  const dialog = within(screen.getByRole('dialog'))
  const quantity = dialog.getByRole('textbox', { name: t('consoleOrders.quantity') })
  await user.clear(quantity)
  await user.type(quantity, '70000')
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.reason.member') }), 'Agreed.')
  await user.click(dialog.getByRole('checkbox', { name: t('consoleOrders.correct.isRight') }))
  refusing(updateOrder, 'cap_reached')
  const confirm = () => user.click(dialog.getByRole('button', { name: t('consoleOrders.correct.confirm') }))
  await confirm()
  await user.click(await dialog.findByRole('checkbox', { name: t('consoleOrders.correct.excessIsMeant') }))
  answering(updateOrder, detail().order)
  await confirm()
  expect(callsOf(updateOrder).at(-1)).toMatchObject({ body: { exceedsCap: true } })
})

test('a quantity that the server finds off the rate is confirmed and sent again', async () => {
  const { user } = await opened(detail())
  await user.click(button('consoleOrders.correct')!)
  const dialog = within(screen.getByRole('dialog'))
  const meant = () => dialog.queryByRole('checkbox', { name: t('consoleOrders.correct.quantityIsMeant') })
  await user.clear(dialog.getByRole('textbox', { name: t('consoleOrders.amount') }))
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.amount') }), '1')
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.reason.member') }), 'Agreed.')
  await user.click(dialog.getByRole('checkbox', { name: t('consoleOrders.correct.isRight') }))
  expect(meant()).toBeNull()
  const errors = [{ path: 'fabQty', code: 'differs_from_rate' as const, message: 'Off the rate' }]
  refusing(updateOrder, 'validation_failed', { errors })
  const confirm = () => user.click(dialog.getByRole('button', { name: t('consoleOrders.correct.confirm') }))
  await confirm()
  await user.click(await dialog.findByRole('checkbox', { name: t('consoleOrders.correct.quantityIsMeant') }))
  answering(updateOrder, detail().order)
  await confirm()
  expect(callsOf(updateOrder).at(-1)).toMatchObject({ body: { amount: '1', confirmsQuantity: true } })
})

test('a refund that the member did not request is started with an address and a reason', async () => {
  const { user } = await opened(detail({ canRefund: true }, { status: 'cancelled' }))
  await user.click(button('consoleOrders.refund')!)
  const dialog = within(screen.getByRole('dialog'))
  const confirm = () => user.click(dialog.getByRole('button', { name: t('consoleOrders.refund.confirm') }))
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.refund.address') }), ' 0xabc ')
  await confirm()
  expect(callsOf(openRefund)).toHaveLength(0)
  await user.type(dialog.getByRole('textbox', { name: t('consoleOrders.reason.member') }), 'Closed.')
  answering(openRefund, detail().order)
  await confirm()
  expect(callsOf(openRefund)).toMatchObject([{ body: { refundAddress: '0xabc', reason: 'Closed.' } }])
})
