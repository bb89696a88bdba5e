// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { Order } from '#contract/money/orders.ts'
import { getWithdrawalRight, requestWithdrawal, type WithdrawalRight } from '#contract/money/withdrawals.ts'
import { aMember, show } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, noWithdrawal, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { OrderWithdrawal, useWithdrawalRight } from './order-withdrawal.tsx'

const t = wordsOf('en')
const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const order = {
  _id: 'o1',
  memberId: aMember.id,
  reference: 'COIN-1A2B3-C4D5E',
  status: 'pending',
  currency: 'ETH',
  updatedAt: '2026-11-22T08:30:00.000Z',
} as Order
const right: WithdrawalRight = {
  ...noWithdrawal,
  days: 14,
  timeZone: 'Europe/Paris',
  until: '2026-12-07T23:00:00.000Z',
  lastDay: '2026-12-07',
  canRequest: true,
  refundChain: 'ethereum',
}
const withdrawal: NonNullable<WithdrawalRight['withdrawal']> = {
  id: 'w1',
  reference: 'W-1A2B3-C4D5E',
  state: 'requested',
  requestedAt: '2026-11-24T08:30:00.000Z',
  refundBefore: '2026-12-09T00:00:00.000Z',
  refundAddress: address,
  note: '',
  reason: '',
  decidedAt: null,
  refund: null,
}
function Part({ of, cancel }: { of: Order; cancel?: ReactNode }) {
  return <OrderWithdrawal order={of} loaded={useWithdrawalRight(of)} cancel={cancel} onChanged={() => {}} />
}
const shown = (of: Order = order, cancel?: ReactNode) => show(<Part of={of} cancel={cancel} />)
const button = (name: string) => screen.findByRole('button', { name })

test.each([
  ['ethereum', 'withdrawals.refundTo.asked'],
  [null, 'withdrawals.refundTo.account'],
] as const)('without an address it says where the refund goes: chain %s', async (refundChain, key) => {
  const accepted = { ...withdrawal, state: 'accepted', refundAddress: '' } as const
  answering(getWithdrawalRight, { ...right, canRequest: false, refundChain, withdrawal: accepted })
  shown()
  expect(await screen.findByText(t(key))).toBeVisible()
})

test('offers a refund of a payment for a canceled order, also without a withdrawal period', async () => {
  answering(getWithdrawalRight, { ...right, days: 0, until: null, lastDay: null })
  shown({ ...order, status: 'cancelled' })
  expect(await screen.findByText(t('withdrawals.lead.cancelled'))).toBeVisible()
  expect(await button(t('withdrawals.ask'))).toBeVisible()
})

test('offers the refund again if money came after the withdrawal was closed', async () => {
  answering(getWithdrawalRight, { ...right, withdrawal: { ...withdrawal, state: 'unpaid' } })
  shown({ ...order, status: 'cancelled' })
  expect(await screen.findByText(t('withdrawals.lead.cancelled'))).toBeVisible()
  expect(await button(t('withdrawals.ask'))).toBeVisible()
})

test('shows the deadline with its time zone, asks for an address, checks it, and shows the receipt', async () => {
  answeringInTurn(getWithdrawalRight, right, { ...right, canRequest: false, withdrawal })
  answering(requestWithdrawal, withdrawal)
  shown()
  const lead = await screen.findByText(/7 December 2026|December 7, 2026/)
  expect(lead).toHaveTextContent('Europe/Paris')
  await userEvent.click(await button(t('withdrawals.ask')))
  const dialog = within(screen.getByRole('dialog'))
  const confirm = dialog.getByRole('button', { name: t('withdrawals.ask.confirm') })
  await userEvent.click(confirm)
  const field = dialog.getByRole('textbox', { name: new RegExp(t('withdrawals.ask.address')) })
  expect(field).toBeInvalid()
  await userEvent.type(field, address.replace('A', 'a'))
  await userEvent.click(confirm)
  expect(field).toBeInvalid()
  expect(callsOf(requestWithdrawal)).toEqual([])
  await userEvent.clear(field)
  await userEvent.type(field, address)
  await userEvent.click(confirm)
  expect(await screen.findByText('W-1A2B3-C4D5E')).toBeVisible()
  expect(callsOf(requestWithdrawal)).toMatchObject([
    { params: { id: 'o1' }, body: { refundAddress: address } },
  ])
  expect(screen.getByText(t('withdrawals.state.requested'))).toBeVisible()
  expect(screen.queryByRole('button', { name: t('withdrawals.ask') })).toBeNull()
})

test('a member who paid from an account is not asked for an address', async () => {
  answering(getWithdrawalRight, { ...right, refundChain: null })
  shown({ ...order, status: 'completed' })
  await userEvent.click(await button(t('withdrawals.ask')))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(t('withdrawals.ask.account'))).toBeVisible()
  expect(dialog.getAllByRole('textbox')).toHaveLength(1)
})

test('an unpaid order can only be cancelled', async () => {
  answering(getWithdrawalRight, { ...right, isUnpaid: true })
  shown(order, <button type="button">cancel</button>)
  expect(await screen.findByText(t('withdrawals.lead.unpaid'))).toBeVisible()
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['cancel'])
})

test.each([
  ['that the page sees first', true, undefined],
  ['that the server sees first', false, <button key="cancel">cancel</button>],
])('an order whose payment is on its way %s can be withdrawn, not cancelled', async (_, isUnpaid, cancel) => {
  answering(getWithdrawalRight, { ...right, isUnpaid })
  shown(order, cancel)
  expect(await screen.findByText(t('withdrawals.lead.paid'))).toBeVisible()
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([t('withdrawals.ask')])
})

test.each([
  ['where there is no such right', noWithdrawal],
  ['after its time', { ...right, canRequest: false, isUnpaid: true }],
])('an unpaid order is cancelled %s', async (_, of) => {
  answering(getWithdrawalRight, of)
  shown(order, <button type="button">cancel</button>)
  await expect.poll(() => callsOf(getWithdrawalRight).length).toBe(1)
  expect(await screen.findByRole('button', { name: 'cancel' })).toBeVisible()
})

test('a late or repeated request shows the current status', async () => {
  answeringInTurn(getWithdrawalRight, right, { ...right, canRequest: false })
  refusing(requestWithdrawal, 'conflict')
  shown()
  await userEvent.click(await button(t('withdrawals.ask')))
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.type(dialog.getAllByRole('textbox')[0]!, address)
  await userEvent.click(dialog.getByRole('button', { name: t('withdrawals.ask.confirm') }))
  expect(await screen.findByText(/period for this order ended/)).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  ['their address', 'ethereum', { refundAddress: address }],
  ['that it goes back to their account', null, {}],
] as const)('for a refund that our team started, the member says %s', async (_, refundChain, body) => {
  const started = { ...withdrawal, refundAddress: 'entered by the team' }
  answering(getWithdrawalRight, { ...right, refundChain, withdrawal: started })
  answering(requestWithdrawal, withdrawal)
  shown()
  expect(await screen.findByText('entered by the team')).toBeVisible()
  await userEvent.click(await button(t('withdrawals.address')))
  const dialog = within(screen.getByRole('dialog'))
  if (refundChain) await userEvent.type(dialog.getAllByRole('textbox')[0]!, address)
  await userEvent.click(dialog.getByRole('button', { name: t('withdrawals.address.confirm') }))
  await expect.poll(() => callsOf(requestWithdrawal)).toMatchObject([{ body }])
})

test('a refund is shown with amount, date, and transaction', async () => {
  const refund = { amount: '1.5', currency: 'ETH', txId: '0xabc', paidOn: '2026-11-30' }
  answering(getWithdrawalRight, {
    ...right,
    canRequest: false,
    withdrawal: { ...withdrawal, state: 'refunded', refund, reason: 'Sent.' },
  })
  shown()
  for (const text of [t('withdrawals.refunded.on'), '1.5 ETH', '0xabc', 'Sent.'])
    expect(await screen.findByText(text)).toBeVisible()
})

test('nothing is shown without the right, or for a cancelled order', async () => {
  answering(getWithdrawalRight, noWithdrawal)
  const { container } = shown()
  await expect.poll(() => callsOf(getWithdrawalRight).length).toBe(1)
  expect(container.querySelector('h2')).toBeNull()
})
