// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import {
  createOrderDeliveries,
  holdDelivery,
  listDeliveries,
  releaseDelivery,
  type ConsoleDelivery,
} from '#contract/money/console-deliveries.ts'
import { holdReasons, deliveryStates } from '#contract/money/deliveries.ts'
import type { Order } from '#contract/money/orders.ts'
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
import { OrderDeliveries } from './order-deliveries.tsx'

const t = wordsOf('en')
const order = {
  _id: 'o1',
  reference: 'COIN-1A2B3-C4D5E',
  status: 'completed',
  updatedAt: '2026-11-22T08:30:00.000Z',
} as Order
const delivery = (change: Partial<ConsoleDelivery> = {}): ConsoleDelivery => ({
  id: 'd1',
  reference: 'ABCDE00001',
  tranche: 1,
  amount: '100.00000001',
  dueAt: '2026-12-01T14:00:00.000Z',
  state: 'due',
  hold: null,
  address: 'somewhere',
  txId: '',
  confirmedAt: null,
  orderId: 'o1',
  orderReference: order.reference,
  memberId: 'm2',
  memberEmail: 'buyer@example.org',
  holdNote: '',
  round: null,
  run: null,
  sentAt: null,
  ...change,
})
type Options = { mayAct?: boolean; isBeingWithdrawn?: boolean; of?: Order; language?: 'cn' }
const shown = ({ mayAct = true, isBeingWithdrawn = false, of = order, language }: Options = {}) =>
  show(
    <OrderDeliveries order={of} mayAct={mayAct} isBeingWithdrawn={isBeingWithdrawn} onChanged={() => {}} />,
    language,
  )
const button = (name: string) => screen.findByRole('button', { name })
const dialog = () => within(screen.getByRole('dialog'))

test('a delivery is held with a reason, and then offered to be released', async () => {
  const held = delivery({ state: 'on_hold', hold: 'staff', holdNote: 'Ask the buyer.' })
  answeringInTurn(listDeliveries, [delivery()], [held])
  answering(holdDelivery, held)
  shown()
  await userEvent.click(await button(t('consoleDeliveries.hold.action')))
  const confirm = dialog().getByRole('button', { name: t('consoleDeliveries.hold.confirm') })
  await userEvent.click(confirm)
  expect(dialog().getByRole('textbox')).toBeInvalid()
  expect(callsOf(holdDelivery)).toEqual([])
  await userEvent.type(dialog().getByRole('textbox'), 'Ask the buyer.')
  await userEvent.click(confirm)
  expect(await button(t('consoleDeliveries.release.action'))).toBeVisible()
  expect(callsOf(holdDelivery)).toMatchObject([{ params: { id: 'd1' }, body: { reason: 'Ask the buyer.' } }])
  expect(screen.getByText(/Ask the buyer/)).toBeVisible()
})

test('a release sends its reason', async () => {
  const held = delivery({ state: 'on_hold', hold: 'staff', holdNote: 'Ask.' })
  answeringInTurn(listDeliveries, [held], [delivery()])
  answering(releaseDelivery, delivery())
  shown()
  await userEvent.click(await button(t('consoleDeliveries.release.action')))
  await userEvent.type(dialog().getByRole('textbox'), 'Answered.')
  await userEvent.click(dialog().getByRole('button', { name: t('consoleDeliveries.release.confirm') }))
  expect(await button(t('consoleDeliveries.hold.action'))).toBeVisible()
  expect(callsOf(releaseDelivery)).toMatchObject([{ params: { id: 'd1' }, body: { reason: 'Answered.' } }])
})

test('if a colleague froze the delivery first, the dialog closes and the page shows it', async () => {
  answeringInTurn(listDeliveries, [delivery()], [delivery({ state: 'in_run', run: { id: 'r1', number: 7 } })])
  refusing(holdDelivery, 'conflict')
  shown()
  await userEvent.click(await button(t('consoleDeliveries.hold.action')))
  await userEvent.type(dialog().getByRole('textbox'), 'Wait.')
  await userEvent.click(dialog().getByRole('button', { name: t('consoleDeliveries.hold.confirm') }))
  expect(await screen.findByText(t('consoleDeliveries.state.in_run'))).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('button', { name: t('consoleDeliveries.hold.action') })).toBeNull()
})

test.each(['in_run', 'sent', 'confirmed', 'cancelled'] as const)('offers nothing for %s', async (state) => {
  answering(listDeliveries, [delivery({ state })])
  shown()
  await screen.findByRole('table')
  expect(screen.queryByRole('button')).toBeNull()
})

test('deliveries of an old order are created after a warning', async () => {
  answeringInTurn(listDeliveries, [], [delivery()])
  answering(createOrderDeliveries, noDeliveries)
  shown()
  await userEvent.click(await button(t('consoleDeliveries.create.action')))
  expect(dialog().getByText(t('consoleDeliveries.create.text'))).toBeVisible()
  await userEvent.type(dialog().getByRole('textbox'), 'Not paid yet.')
  await userEvent.click(dialog().getByRole('button', { name: t('consoleDeliveries.create.confirm') }))
  expect(await screen.findByText('ABCDE00001')).toBeVisible()
  expect(callsOf(createOrderDeliveries)).toMatchObject([
    { params: { id: 'o1' }, body: { reason: 'Not paid yet.' } },
  ])
})

test.each([{ mayAct: false }, { isBeingWithdrawn: true }])('creates none with %o', async (options) => {
  answering(listDeliveries, [])
  shown(options)
  expect(await screen.findByText(t('consoleDeliveries.order.none'))).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test.each(['en', 'cn'] as const)('every status and reason has its words in %s', async (language) => {
  const words = wordsOf(language)
  const settings = language === 'cn' ? { language } : {}
  answering(
    listDeliveries,
    deliveryStates.map((state) => delivery({ id: state, state })),
  )
  shown(settings)
  await screen.findByRole('table')
  for (const state of deliveryStates)
    expect(screen.getAllByText(words(`consoleDeliveries.state.${state}`)).length).toBeGreaterThan(0)
  cleanup()
  answering(
    listDeliveries,
    holdReasons.map((hold) => delivery({ id: hold, state: 'on_hold', hold })),
  )
  shown(settings)
  await screen.findByRole('table')
  for (const hold of holdReasons)
    expect(screen.getByText(words(`consoleDeliveries.hold.${hold}`))).toBeVisible()
})

test('says that it is loading, and that loading failed', async () => {
  const release = holding(listDeliveries, [delivery()])
  shown()
  expect(screen.getByText(t('forms.loading'))).toBeInTheDocument()
  release()
  await screen.findByRole('table')
  cleanup()
  refusing(listDeliveries, 'unexpected')
  shown()
  expect(await screen.findByText(t('consoleDeliveries.failed'))).toBeVisible()
})

test('an order that is not completed has none', () => {
  shown({ of: { ...order, status: 'pending' } })
  expect(callsOf(listDeliveries)).toEqual([])
})

test('many parts have sums, and only those near the next one are listed', async () => {
  const parts = Array.from({ length: 40 }, (_, n) =>
    delivery({
      id: `d${n}`,
      tranche: n + 1,
      reference: `PART${n + 1}`,
      amount: '2.5',
      dueAt: new Date(Date.UTC(2030, n, 1)).toISOString(),
      state: n < 10 ? 'confirmed' : 'scheduled',
    }),
  )
  answering(listDeliveries, parts)
  shown()
  const facts = await screen.findByText(t('consoleDeliveries.totals.delivered'))
  expect(facts.nextSibling).toHaveTextContent(/^25$/)
  expect(screen.getByText(t('consoleDeliveries.totals.locked')).nextSibling).toHaveTextContent(/^75$/)
  expect(screen.getByText(t('consoleDeliveries.order.next')).nextSibling).toHaveTextContent(/^2\.5/)
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1)
  expect(rows).toHaveLength(12)
  expect(rows[0]).toHaveTextContent('PART9')
  expect(screen.getByRole('link', { name: t('consoleDeliveries.all') })).toBeVisible()
})
