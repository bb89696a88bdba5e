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

const monthly = (count: number, confirmed: number) =>
  Array.from({ length: count }, (_, n) =>
    delivery(1, {
      id: `m${n}`,
      amount: '10',
      dueAt: new Date(Date.UTC(2035, n, 1)).toISOString(),
      ...(n < confirmed && arrived),
    }),
  )
const inParts = (count: number, confirmed: number): OrderDeliveries => ({
  ...having(...monthly(count, confirmed)),
  bought: String(10 * count),
  delivered: String(10 * confirmed),
  dueNext: { amount: '10', dueAt: new Date(Date.UTC(2035, confirmed, 1)).toISOString() },
  locked: String(10 * (count - confirmed)),
})
const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1)
const rowOf = (of: ReturnType<typeof rows>, n: number) => of[n]!.textContent

test('several deliveries have sums, a picture, and a table with dates and amounts', async () => {
  answering(getOrderDeliveries, inParts(10, 1))
  shown()
  const picture = await screen.findByRole('img')
  expect(picture).toHaveAccessibleName(
    /^10 deliveries, due from January\s1, 2035 to October\s1, 2035\. 10 of 100 \S+ delivered\. Next delivery: 10 \S+, due February\s1, 2035\. 90 \S+ still locked\.$/,
  )
  expect(screen.getByText(t('deliveries.sum.locked')).nextSibling).toHaveTextContent(/^90 /)
  expect(screen.getByText(t('deliveries.sum.next')).nextSibling).toHaveTextContent(/^10 .*February\s1, 2035/)
  // The first one has a line for its transaction.
  expect(rows()).toHaveLength(11)
  expect(rowOf(rows(), 0)).toMatch(/January\s1, 2035\s*10 \S+Delivered/)
  expect(within(rows()[1]!).getByRole('link')).toHaveAttribute('href', `https://explorer.example/tx/${txId}`)
  expect(rowOf(rows(), 10)).toMatch(/October\s1, 2035\s*10 \S+Scheduled/)
})

test('the stairs of the picture end at the whole, and each has the look of its status', async () => {
  answering(getOrderDeliveries, inParts(4, 1))
  shown()
  const stairs = [...(await screen.findByRole('img')).querySelectorAll('rect')]
  const heights = stairs.map((stair) => Number(stair.getAttribute('height')))
  expect(heights).toEqual([59, 118, 177, 236])
  const ends = stairs.map((stair) => Number(stair.getAttribute('x')) + Number(stair.getAttribute('width')))
  expect(ends.slice(0, -1)).toEqual(stairs.slice(1).map((stair) => Number(stair.getAttribute('x'))))
  expect(new Set(stairs.map((stair) => stair.getAttribute('class'))).size).toBe(2)
})

test('many deliveries are cut to those near the next one, until all are asked for', async () => {
  answering(getOrderDeliveries, inParts(121, 20))
  shown()
  await screen.findByRole('img')
  const near = () => rows().filter((row) => !row.className.includes('far'))
  const dates = () => near().flatMap((row) => [...row.querySelectorAll('time')].map((time) => time.dateTime))
  expect(dates()).toHaveLength(12)
  expect(dates()[2]).toBe(inParts(121, 20).dueNext!.dueAt)
  await userEvent.click(screen.getByRole('button', { name: t('deliveries.all', { count: 121 }) }))
  expect(dates()).toHaveLength(121)
  expect(screen.queryByRole('button', { name: t('deliveries.all', { count: 121 }) })).toBeNull()
})

test('what all parts wait for is said once, and what one waits for is said with it', async () => {
  const waiting = monthly(3, 0).map((each) => ({ ...each, hold: 'identity_expired' as const }))
  answering(getOrderDeliveries, { ...inParts(3, 0), deliveries: waiting })
  shown()
  expect(await screen.findByText(t('deliveries.hold.identity_expired'))).toBeVisible()
  expect(rows()).toHaveLength(3)
  cleanup()
  const [first, ...others] = monthly(3, 0)
  answering(getOrderDeliveries, {
    ...inParts(3, 0),
    deliveries: [{ ...first!, state: 'on_hold', hold: 'staff' }, ...others],
  })
  shown()
  await screen.findByRole('img')
  expect(rowOf(rows(), 1)).toBe(t('deliveries.hold.staff'))
})

test('what was canceled is in the table, but not in the picture', async () => {
  answering(
    getOrderDeliveries,
    having(delivery(1, arrived), delivery(2), delivery(3, { state: 'cancelled' })),
  )
  shown('cn')
  expect((await screen.findByRole('img')).querySelectorAll('rect')).toHaveLength(2)
  expect(screen.getByText(wordsOf('cn')('deliveries.state.cancelled'))).toBeVisible()
})

test.each(['en', 'cn'] as const)('every status and reason has its words in %s', async (language) => {
  const words = wordsOf(language)
  const each = [
    ...deliveryStates.map((state, n) => delivery(1, { id: `s${n}`, state })),
    ...holdReasons.map((hold, n) => delivery(1, { id: `h${n}`, state: 'on_hold', hold })),
  ]
  answering(getOrderDeliveries, having(...each))
  shown(language === 'cn' ? 'cn' : undefined)
  await screen.findByRole('table')
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
