// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import {
  acceptWithdrawal,
  closeWithdrawal,
  getConsoleWithdrawal,
  recordRefund,
  refuseWithdrawal,
  type ConsoleWithdrawalDetail,
} from '#contract/money/console-withdrawals.ts'
import { endUndoTime, aMember, show } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import type { Member } from '../../../kernel/session/session.ts'
import { WithdrawalPart } from './withdrawal-part.tsx'

const t = wordsOf('en')
const member = { ...aMember, manageFinance: 2 } as Member
const reader: Member = { ...member, manageFinance: 1 }
const detail = (change: Partial<ConsoleWithdrawalDetail> = {}): ConsoleWithdrawalDetail => ({
  id: 'w1',
  reference: 'W-1A2B3-C4D5E',
  orderId: 'o1',
  orderReference: 'COIN-1A2B3-C4D5E',
  orderStatus: 'pending',
  memberId: 'm2',
  memberEmail: 'buyer@example.org',
  state: 'requested',
  isOverdue: false,
  amount: '1.5',
  amountIs: 'received',
  currency: 'ETH',
  requestedAt: '2026-11-24T08:30:00.000Z',
  refundBefore: '2026-12-09T00:00:00.000Z',
  refund: null,
  withdrawal: {
    id: 'w1',
    reference: 'W-1A2B3-C4D5E',
    state: 'requested',
    requestedAt: '2026-11-24T08:30:00.000Z',
    refundBefore: '2026-12-09T00:00:00.000Z',
    refundAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    note: 'Changed my mind.',
    reason: '',
    decidedAt: null,
    refund: null,
  },
  refundChain: 'ethereum',
  until: '2026-12-08T00:00:00.000Z',
  decidedBy: null,
  refundedBy: null,
  forbids: null,
  unsettled: [],
  seenOnChain: null,
  isPaymentShared: false,
  takesTwo: false,
  replaceTakesTwo: false,
  proposal: null,
  updatedAt: '2026-11-24T08:30:00.000Z',
  ...change,
})
function shown(withdrawal: ConsoleWithdrawalDetail | null, as: Member = member) {
  answering(getConsoleWithdrawal, { orderId: 'o1', memberId: 'm2', withdrawal })
  return show(<WithdrawalPart orderId="o1" version="1" member={as} onChanged={() => {}} />)
}
const button = (name: string) => screen.findByRole('button', { name })
const dialog = () => within(screen.getByRole('dialog'))

test('without a refund address for the coin the member is asked for one', async () => {
  const accepted = detail({ state: 'accepted' })
  const withdrawal = { ...accepted.withdrawal, refundAddress: '' }
  shown({ ...accepted, withdrawal })
  expect(await screen.findByText(t('consoleWithdrawals.refundTo.ask'))).toBeVisible()
  expect(screen.queryByText(t('consoleWithdrawals.refundTo.account'))).toBeNull()
})

test('a payment from an account is refunded to it', async () => {
  const accepted = detail({ state: 'accepted', currency: 'USD', refundChain: null })
  shown({ ...accepted, withdrawal: { ...accepted.withdrawal, refundAddress: '' } })
  expect(await screen.findByText(t('consoleWithdrawals.refundTo.account'))).toBeVisible()
  expect(screen.queryByText(t('consoleWithdrawals.refundTo.ask'))).toBeNull()
})

test('a request is accepted in the state that was seen', async () => {
  shown(detail())
  answering(acceptWithdrawal, detail({ state: 'accepted' }))
  expect(await screen.findByText('Changed my mind.')).toBeVisible()
  expect(screen.getByText(t('consoleWithdrawals.waits'))).toBeVisible()
  await userEvent.click(await button(t('consoleWithdrawals.accept')))
  expect(dialog().getByText(t('consoleWithdrawals.accept.pending'))).toBeVisible()
  await userEvent.click(dialog().getByRole('button', { name: t('consoleWithdrawals.accept.confirm') }))
  await expect
    .poll(() => callsOf(acceptWithdrawal))
    .toMatchObject([{ params: { id: 'w1' }, body: { updatedAt: detail().updatedAt } }])
})

test('above the threshold the first person proposes', async () => {
  shown(detail({ takesTwo: true }))
  await userEvent.click(await button(t('consoleWithdrawals.accept')))
  expect(dialog().getByText(t('consoleWithdrawals.twoPersons'))).toBeVisible()
  expect(dialog().getByRole('button', { name: t('consoleWithdrawals.accept.propose') })).toBeVisible()
})

test('replacing a refund that a colleague recorded is announced as a proposal', async () => {
  const refund = { amount: '1.5', currency: 'ETH', txId: '0xabc', paidOn: '2026-11-25' }
  shown(detail({ state: 'refunded', refund, replaceTakesTwo: true }))
  await userEvent.click(await button(t('consoleWithdrawals.refund.correct')))
  expect(dialog().getByText(t('consoleWithdrawals.twoPersons'))).toBeVisible()
  expect(dialog().getByRole('button', { name: t('consoleWithdrawals.refund.propose') })).toBeVisible()
})

test('the second person carries out what a colleague proposed', async () => {
  const proposal = {
    by: { id: 'x', name: 'Ada' },
    at: '2026-11-25T08:30:00.000Z',
    act: 'accept' as const,
    reason: '',
    refund: null,
    counts: true,
  }
  shown(detail({ takesTwo: true, proposal }))
  await userEvent.click(await button(t('consoleWithdrawals.accept')))
  expect(dialog().getByRole('button', { name: t('consoleWithdrawals.accept.confirm') })).toBeVisible()
})

test('a refusal starts with a reason', async () => {
  shown(detail())
  answering(refuseWithdrawal, detail({ state: 'refused' }))
  await userEvent.click(await button(t('consoleWithdrawals.refuse')))
  const confirm = dialog().getByRole('button', { name: t('consoleWithdrawals.refuse.confirm') })
  await userEvent.click(confirm)
  expect(dialog().getByRole('textbox')).toBeInvalid()
  expect(callsOf(refuseWithdrawal)).toEqual([])
  await userEvent.type(dialog().getByRole('textbox'), 'Bought for a company.')
  await userEvent.click(confirm)
  await endUndoTime()
  await expect
    .poll(() => callsOf(refuseWithdrawal))
    .toMatchObject([{ body: { reason: 'Bought for a company.' } }])
})

test('a refund is recorded with what was sent; errors are shown at their fields', async () => {
  shown(detail({ state: 'accepted', orderStatus: 'cancelled' }))
  refusing(recordRefund, 'validation_failed', {
    errors: [{ path: 'txId', code: 'tx_id', message: 'No transaction id.' }],
  })
  await userEvent.click(await button(t('consoleWithdrawals.refund')))
  const [amount, coin, txId] = dialog().getAllByRole('textbox') as HTMLInputElement[]
  expect([amount!.value, coin!.value]).toEqual(['1.5', 'ETH'])
  await userEvent.type(txId!, '0xabc')
  const confirm = dialog().getByRole('button', { name: t('consoleWithdrawals.refund.confirm') })
  await userEvent.click(confirm)
  const day = dialog().getByLabelText(new RegExp(t('consoleWithdrawals.paidOn')))
  expect(day).toBeInvalid()
  expect(callsOf(recordRefund)).toEqual([])
  await userEvent.type(day, '2026-11-30')
  await userEvent.click(confirm)
  expect(await dialog().findByText('No transaction id.')).toBeVisible()
  expect(txId).toBeInvalid()
  expect(callsOf(recordRefund)).toMatchObject([
    { body: { amount: '1.5', currency: 'ETH', txId: '0xabc', paidOn: '2026-11-30' } },
  ])
})

test('accepts a decimal comma in a refund, and sends no ambiguous amount', async () => {
  shown(detail({ state: 'accepted', orderStatus: 'cancelled' }))
  refusing(recordRefund, 'validation_failed', {
    errors: [{ path: 'txId', code: 'tx_id', message: 'No transaction id.' }],
  })
  await userEvent.click(await button(t('consoleWithdrawals.refund')))
  const [amount, , txId, reason] = dialog().getAllByRole('textbox') as HTMLInputElement[]
  await userEvent.type(txId!, '0xabc')
  await userEvent.type(dialog().getByLabelText(new RegExp(t('consoleWithdrawals.paidOn'))), '2026-11-30')
  const confirm = dialog().getByRole('button', { name: t('consoleWithdrawals.refund.confirm') })
  await userEvent.clear(amount!)
  await userEvent.type(amount!, '1,125')
  await userEvent.click(confirm)
  expect(amount).toBeInvalid()
  expect(callsOf(recordRefund)).toEqual([])
  await userEvent.clear(amount!)
  await userEvent.type(amount!, '0,05')
  await userEvent.click(confirm)
  expect(reason).toBeInvalid()
  expect(callsOf(recordRefund)).toEqual([])
  await userEvent.type(reason!, 'A part, as agreed.')
  await userEvent.click(confirm)
  expect(callsOf(recordRefund)).toMatchObject([{ body: { amount: '0.05' } }])
  expect(await dialog().findByText('No transaction id.')).toBeVisible()
})

test("the second person sees the proposal and its author, who can't approve it", async () => {
  const proposal = {
    by: { id: 'm9', name: 'Sample Colleague' },
    at: '2026-11-25T08:30:00.000Z',
    act: 'accept' as const,
    reason: 'In time.',
    refund: null,
    counts: true,
  }
  shown(detail({ takesTwo: true, proposal }))
  expect(await screen.findByText(/Sample Colleague/)).toBeVisible()
  expect(await button(t('consoleWithdrawals.accept'))).toBeVisible()
  expect(screen.getByText(t('consoleWithdrawals.proposal.reason', { reason: 'In time.' }))).toBeVisible()
})

test.each([
  ['a reader', reader, detail()],
  ['its member', member, detail({ forbids: 'own' })],
  [
    'who proposed it',
    member,
    detail({
      takesTwo: true,
      state: 'refused',
      proposal: {
        by: { id: aMember.id, name: 'me' },
        at: '2026-11-25T08:30:00.000Z',
        act: 'accept',
        reason: '',
        refund: null,
        counts: true,
      },
    }),
  ],
])('offers no actions to %s', async (_, as, withdrawal) => {
  shown(withdrawal, as)
  expect(await screen.findByRole('heading', { level: 2 })).toHaveTextContent('W-1A2B3-C4D5E')
  expect(screen.queryByRole('button')).toBeNull()
})

test('an amount that was only due is labelled so in the facts and the dialog', async () => {
  shown(detail({ state: 'accepted', amountIs: 'due' }))
  await userEvent.click(await button(t('consoleWithdrawals.refund')))
  expect(screen.getByText(t('consoleWithdrawals.amount.due'))).toBeVisible()
  expect(screen.queryByText(t('consoleWithdrawals.amount.received'))).toBeNull()
  expect(
    dialog().getByText(t('consoleWithdrawals.refund.amount.help.due', { amount: '1.5 ETH' })),
  ).toBeVisible()
})

test('with an open flag nothing is offered', async () => {
  shown(detail({ unsettled: ['disputed'] }))
  expect(await screen.findByText(t('consoleWithdrawals.unsettled'))).toBeVisible()
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('an order without a withdrawal shows nothing about one', async () => {
  const { container } = shown(null)
  await expect.poll(() => callsOf(getConsoleWithdrawal).length).toBe(1)
  expect(container.querySelector('h2')).toBeNull()
})

test.each([{ amountIs: 'due' as const }, { amountIs: 'received' as const, amount: '0' }])(
  'a withdrawal without a payment is closed with a reason, before and after it was accepted: %o',
  async (unpaid) => {
    shown(detail({ state: 'accepted', orderStatus: 'cancelled', ...unpaid }))
    answering(closeWithdrawal, detail({ state: 'unpaid', orderStatus: 'cancelled' }))
    await userEvent.click(await button(t('consoleWithdrawals.close')))
    const confirm = dialog().getByRole('button', { name: t('consoleWithdrawals.close.confirm') })
    await userEvent.click(confirm)
    expect(dialog().getByRole('textbox')).toBeInvalid()
    await userEvent.type(dialog().getByRole('textbox'), 'It is on no chain.')
    await userEvent.click(confirm)
    await expect
      .poll(() => callsOf(closeWithdrawal))
      .toMatchObject([{ params: { id: 'w1' }, body: { reason: 'It is on no chain.' } }])
  },
)

test.each([{ amountIs: 'received' as const }, { orderStatus: 'completed' as const }])(
  "a withdrawal with a payment or delivery can't be closed as unpaid: %o",
  async (paid) => {
    shown(detail({ amountIs: 'due', ...paid }))
    await button(t('consoleWithdrawals.accept'))
    expect(screen.queryByRole('button', { name: t('consoleWithdrawals.close') })).toBeNull()
  },
)
