// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import {
  holdReasons,
  deliveryStates,
  getOrderDeliveries,
  type Delivery,
  type OrderDeliveries,
} from '#contract/money/deliveries.ts'
import { setTokenAddress, type Order } from '#contract/money/orders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { show } from '#tests/setup/show.tsx'
import {
  answering,
  answeringInTurn,
  callsOf,
  holding,
  noDeliveries,
  refusing,
} from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { OrderDelivery } from './order-delivery.tsx'

const t = wordsOf('en')
const order = { _id: 'o1', status: 'completed', updatedAt: '2026-11-22T08:30:00.000Z' } as Order
const txId = `0x${'ab'.repeat(32)}`
const delivery = (tranche: number, change: Partial<Delivery> = {}): Delivery => ({
  id: `d${tranche}`,
  reference: `ABCDE0000${tranche}`,
  tranche,
  amount: '100',
  dueAt: `2026-12-0${tranche}T14:00:00.000Z`,
  state: 'scheduled',
  hold: null,
  address: ownAddress,
  txId: '',
  sentAt: null,
  confirmedAt: null,
  ...change,
})
const arrived = {
  state: 'confirmed',
  txId,
  sentAt: '2026-12-01T15:00:00.000Z',
  confirmedAt: '2026-12-01T16:00:00.000Z',
} as const
const having = (...deliveries: Delivery[]): OrderDeliveries => ({
  ...noDeliveries,
  address: ownAddress,
  canChangeAddress: true,
  explorer: 'https://explorer.example',
  bought: '300.00000001',
  delivered: '100',
  deliveries,
})
const shown = (language?: 'cn', of: Order = order) =>
  show(<OrderDelivery order={of} completedAt="2026-11-30T14:00:00.000Z" onChanged={() => {}} />, language)
const steps = async () => within((await screen.findAllByRole('list'))[1]!).getAllByRole('listitem')

test('a delivery shows how much, its steps with their dates, and its transaction', async () => {
  answering(getOrderDeliveries, having(delivery(1, { ...arrived, amount: '300.00000001' })))
  shown()
  expect(await screen.findByText(/^300\.00000001 /)).toBeVisible()
  expect((await steps()).map((step) => step.textContent)).toEqual([
    expect.stringMatching(/^Order completed.*30/),
    expect.stringMatching(/^Due.*Dec/),
    expect.stringMatching(/^Sent.*Dec/),
    expect.stringMatching(/^Delivered.*Dec/),
  ])
  expect(screen.getByRole('link')).toHaveAttribute('href', `https://explorer.example/tx/${txId}`)
  expect(screen.queryByText(/300\.00000001 \S+ delivered/)).toBeNull()
})

test.each([
  ['scheduled', 1],
  ['due', 2],
  ['on_hold', 2],
  ['in_run', 2],
  ['sent', 3],
] as const)('the next step of a delivery that is %s is marked', async (state, index) => {
  answering(getOrderDeliveries, having(delivery(1, { state })))
  shown()
  const current = (await steps()).map((step) => step.getAttribute('aria-current'))
  expect(current).toEqual([0, 1, 2, 3].map((each) => (each === index ? 'step' : null)))
})

test('several deliveries have a sum, which leaves out what was canceled', async () => {
  answering(
    getOrderDeliveries,
    having(delivery(1, arrived), delivery(2), delivery(3, { state: 'cancelled' })),
  )
  shown()
  expect(await screen.findByText(/^100 of 300\.00000001 \S+ delivered$/)).toBeVisible()
  expect(screen.getByText(t('deliveries.state.cancelled'))).toBeVisible()
})

test.each(['en', 'cn'] as const)('every status and reason has its words in %s', async (language) => {
  const words = wordsOf(language)
  const each = [
    ...deliveryStates.map((state, n) => delivery(1, { id: `s${n}`, state })),
    ...holdReasons.map((hold, n) => delivery(1, { id: `h${n}`, state: 'on_hold', hold })),
  ]
  answering(getOrderDeliveries, having(...each))
  shown(language === 'cn' ? 'cn' : undefined)
  await steps()
  for (const state of deliveryStates)
    expect(screen.getAllByText(words(`deliveries.state.${state}`)).length).toBeGreaterThan(0)
  for (const hold of holdReasons) expect(screen.getByText(words(`deliveries.hold.${hold}`))).toBeVisible()
})

test('a delivery that was sent no longer shows a reason for waiting', async () => {
  answering(getOrderDeliveries, having(delivery(1, { state: 'sent', hold: 'identity_expired' })))
  shown()
  await steps()
  expect(screen.queryByText(t('deliveries.hold.identity_expired'))).toBeNull()
})

test('the address is replaced after the cooling-off period is explained, and the page says when it counts', async () => {
  const held = having(delivery(1, { state: 'on_hold', hold: 'address_new' }))
  answeringInTurn(getOrderDeliveries, having(delivery(1)), {
    ...held,
    addressUsableFrom: '2026-12-04T14:00:00.000Z',
  })
  answering(setTokenAddress, { ...order, fabAddress: ownAddress })
  shown()
  await userEvent.click(await screen.findByRole('button', { name: t('deliveries.address.change') }))
  expect(screen.getByText(t('deliveries.address.lead'))).toBeVisible()
  expect(screen.getByRole('textbox')).toHaveFocus()
  await userEvent.type(screen.getByRole('textbox'), ownAddress)
  await userEvent.click(screen.getByRole('button', { name: t('deliveries.address.submit') }))
  expect(await screen.findByText(/nothing is sent to it before .*2026/)).toBeVisible()
  expect(callsOf(setTokenAddress)).toMatchObject([{ params: { id: 'o1' }, body: { fabAddress: ownAddress } }])
  expect(screen.queryByRole('textbox')).toBeNull()
  // The time says more than the reason.
  expect(screen.queryByText(t('deliveries.hold.address_new'))).toBeNull()
})

test('an invalid address is refused before it is sent', async () => {
  answering(getOrderDeliveries, having(delivery(1)))
  shown()
  await userEvent.click(await screen.findByRole('button', { name: t('deliveries.address.change') }))
  await userEvent.type(screen.getByRole('textbox'), 'nowhere')
  await userEvent.click(screen.getByRole('button', { name: t('deliveries.address.submit') }))
  await waitFor(() => expect(screen.getByRole('textbox')).toBeInvalid())
  expect(callsOf(setTokenAddress)).toEqual([])
})

test('the address can’t be changed if everything is on its way', async () => {
  answering(getOrderDeliveries, { ...having(delivery(1, { state: 'sent' })), canChangeAddress: false })
  shown()
  await steps()
  expect(screen.queryByRole('button', { name: t('deliveries.address.change') })).toBeNull()
})

test('says that nothing is recorded', async () => {
  answering(getOrderDeliveries, noDeliveries)
  shown()
  expect(await screen.findByText(t('deliveries.none'))).toBeVisible()
  expect(screen.queryByRole('list')).toBeNull()
})

test('says that it is loading, and offers to try again after a failure', async () => {
  const release = holding(getOrderDeliveries, having(delivery(1)))
  shown()
  expect(screen.getByText(t('forms.loading'))).toBeInTheDocument()
  release()
  await steps()
  cleanup()
  refusing(getOrderDeliveries, 'unexpected')
  shown()
  expect(await screen.findByText(t('deliveries.failed'))).toBeVisible()
})

test('an order that is not completed has no deliveries and asks for none', () => {
  shown(undefined, { ...order, status: 'pending' })
  expect(screen.queryByText(t('deliveries.heading'))).toBeNull()
  expect(callsOf(getOrderDeliveries)).toEqual([])
})
