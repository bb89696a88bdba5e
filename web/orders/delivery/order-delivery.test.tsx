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
  confirmedAt: null,
  ...change,
})
const full: OrderDeliveries = {
  ...noDeliveries,
  address: ownAddress,
  canChangeAddress: true,
  explorer: 'https://explorer.example',
  bought: '300.00000001',
  delivered: '100',
  dueNext: { amount: '100', dueAt: '2026-12-02T14:00:00.000Z' },
  locked: '100.00000001',
  deliveries: [
    delivery(1, { state: 'confirmed', txId, confirmedAt: '2026-12-01T15:00:00.000Z' }),
    delivery(2, { state: 'on_hold', hold: 'address_new' }),
    delivery(3, { amount: '100.00000001' }),
  ],
}
const shown = (language?: 'cn', of: Order = order) =>
  show(<OrderDelivery order={of} onChanged={() => {}} />, language)

test('shows four exact figures, a picture with a sentence, and a table with the transaction', async () => {
  answering(getOrderDeliveries, full)
  shown()
  const picture = await screen.findByRole('img')
  expect(picture).toHaveAccessibleName(/^100 of 300\.00000001 \S+ have been delivered\. The next 100 /)
  const figures = screen.getAllByRole('definition').map(({ textContent }) => textContent)
  expect(figures[0]).toMatch(/^300\.00000001 /)
  expect(figures[1]).toMatch(/^100 /)
  expect(figures[2]).toMatch(/^100 \S+ on .*2026/)
  expect(figures[3]).toMatch(/^100\.00000001 /)
  const rows = screen.getAllByRole('row').slice(1)
  expect(rows).toHaveLength(3)
  expect(within(rows[0]!).getByRole('link')).toHaveAttribute('href', `https://explorer.example/tx/${txId}`)
  expect(rows[1]).toHaveTextContent(t('deliveries.hold.address_new'))
})

test.each(['en', 'cn'] as const)('every status and reason has its words in %s', async (language) => {
  const words = wordsOf(language)
  const each = [
    ...deliveryStates.map((state, n) => delivery(1, { id: `s${n}`, state })),
    ...holdReasons.map((hold, n) => delivery(1, { id: `h${n}`, state: 'on_hold', hold })),
  ]
  answering(getOrderDeliveries, { ...full, deliveries: each })
  shown(language === 'cn' ? 'cn' : undefined)
  await screen.findByRole('img')
  for (const state of deliveryStates)
    expect(screen.getAllByText(words(`deliveries.state.${state}`)).length).toBeGreaterThan(0)
  for (const hold of holdReasons) expect(screen.getByText(words(`deliveries.hold.${hold}`))).toBeVisible()
})

test('a delivery that was sent no longer shows a reason for waiting', async () => {
  answering(getOrderDeliveries, {
    ...full,
    deliveries: [delivery(1, { state: 'sent', hold: 'identity_expired' })],
  })
  shown()
  await screen.findByRole('img')
  expect(screen.queryByText(t('deliveries.hold.identity_expired'))).toBeNull()
})

test('the address is replaced after the cooling-off period is explained, and the page says when it counts', async () => {
  const usable = { ...full, addressUsableFrom: '2026-12-04T14:00:00.000Z' }
  answeringInTurn(getOrderDeliveries, full, usable)
  answering(setTokenAddress, { ...order, fabAddress: ownAddress })
  shown()
  await userEvent.click(await screen.findByRole('button', { name: t('deliveries.address.change') }))
  expect(screen.getByText(t('deliveries.address.lead'))).toBeVisible()
  await userEvent.type(screen.getByRole('textbox'), ownAddress)
  await userEvent.click(screen.getByRole('button', { name: t('deliveries.address.submit') }))
  expect(await screen.findByText(/nothing is sent to it before .*2026/)).toBeVisible()
  expect(callsOf(setTokenAddress)).toMatchObject([{ params: { id: 'o1' }, body: { fabAddress: ownAddress } }])
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('an invalid address is refused before it is sent', async () => {
  answering(getOrderDeliveries, full)
  shown()
  await userEvent.click(await screen.findByRole('button', { name: t('deliveries.address.change') }))
  await userEvent.type(screen.getByRole('textbox'), 'nowhere')
  await userEvent.click(screen.getByRole('button', { name: t('deliveries.address.submit') }))
  await waitFor(() => expect(screen.getByRole('textbox')).toBeInvalid())
  expect(callsOf(setTokenAddress)).toEqual([])
})

test('the address cannot be changed if everything is on its way', async () => {
  answering(getOrderDeliveries, { ...full, canChangeAddress: false })
  shown()
  await screen.findByRole('img')
  expect(screen.queryByRole('button', { name: t('deliveries.address.change') })).toBeNull()
})

test('says that nothing is recorded, without a picture', async () => {
  answering(getOrderDeliveries, noDeliveries)
  shown()
  expect(await screen.findByText(t('deliveries.none'))).toBeVisible()
  expect(screen.queryByRole('img')).toBeNull()
})

test('says that it is loading, and offers to try again after a failure', async () => {
  const release = holding(getOrderDeliveries, full)
  shown()
  expect(screen.getByText(t('forms.loading'))).toBeInTheDocument()
  release()
  await screen.findByRole('img')
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
