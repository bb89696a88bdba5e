import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { formatMoment } from '../../platform/text/format-time.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })

type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const change = (id: string, body: Change) =>
  call(api.updateOrder, { body: { ...body, _id: id } }, { token: finance.token })
const payment = async (by: TestMember, id: string) =>
  (await call(api.getOrderPayment, { params: { id } }, { token: by.token })).body
const console = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: finance.token })).body

test.each([
  { paidAmount: null, paidAt: null },
  { paidAmount: '0', paidAt: null },
])('removing a recorded payment needs a reason, and the member gets a deadline: %j', async (nothing) => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0.5', paidAt: '2026-01-05T00:00:00.000Z' })
  await moveDeadline(started, order._id, -60)
  const before = await payment(member, order._id)
  expect((await change(order._id, nothing)).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  expect(await payment(member, order._id)).toEqual(before)
  // The step that removes it can't also complete the order.
  const asWell = await change(order._id, {
    ...nothing,
    status: 'completed',
    reason: 'It was for another order.',
  })
  expect(asWell.problem.errors).toMatchObject([
    { path: 'paidAmount', code: 'separately' },
    { path: 'paidAt', code: 'separately' },
  ])
  expect(await payment(member, order._id)).toEqual(before)
  // Clearing only the time needs no reason, because the amount still counts.
  expect((await change(order._id, { paidAt: null })).status).toBe(200)

  const { body } = await change(order._id, { ...nothing, reason: 'It was for another order.' })
  const { steps, payBefore, hasRecordedPayment } = await payment(member, order._id)
  expect(hasRecordedPayment).toBe(false)
  expect(steps.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['placed', ''],
    ['corrected', 'It was for another order.'],
    ['deadline_extended', ''],
  ])
  expect(Date.parse(payBefore!) - Date.now()).toBeGreaterThan(23.9 * HOUR)
  const mail = (await mailsTo(member.email)).at(-1)!
  expect(mail.kind).toBe('order-corrected')
  expect(mail.text).toContain('It was for another order.')
  expect(mail.text).toContain('Payment recorded: ✓ → –')
  expect(mail.text).toContain(formatMoment(new Date(body.payBefore!), 'en'))
  expect((await console(order._id)).steps.map(({ kind }) => kind)).toEqual([
    'placed',
    'payment_recorded',
    'payment_recorded',
    'corrected',
    'deadline_extended',
  ])
})

test.each([
  { paidAmount: null },
  { paidAmount: '0' },
  { paidAmount: '0.499999' },
  { paidAmount: null, paidAt: null, txId: randomBytes(32).toString('hex') },
])('reducing a recorded payment needs a reason: %j', async (less) => {
  const order = await anOrderOf(started, await aBuyer(started))
  await change(order._id, { paidAmount: '0.5', paidAt: '2026-01-05T00:00:00.000Z' })
  expect((await change(order._id, less)).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  expect((await console(order._id)).paidAmount).toBe('0.5')
  expect((await change(order._id, { ...less, reason: 'It was for another order.' })).status).toBe(200)
})

test('removes the payment and its transaction in one request', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  const txId = randomBytes(32).toString('hex')
  await change(order._id, { txId, paidAmount: '0.5' })
  expect((await change(order._id, { txId: null, reason: 'Another order’s.' })).problem.errors).toMatchObject([
    { path: 'txId', code: 'payment_received' },
  ])
  const nothing = { txId: null, paidAmount: null, paidAt: null, reason: 'Another order’s.' }
  expect((await change(order._id, nothing)).body).toMatchObject({ status: 'pending', txId: '' })
})

test('raising a recorded payment needs no reason', async () => {
  const order = await anOrderOf(started, await aBuyer(started))
  await change(order._id, { paidAmount: '0.5' })
  expect((await change(order._id, { paidAmount: '0.6' })).status).toBe(200)
})

test('sends one email if a removed payment becomes a named transaction', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0.5' })
  const txId = randomBytes(32).toString('hex')
  const reason = 'Another transaction.'
  expect((await change(order._id, { paidAmount: null, txId, reason })).status).toBe(200)
  expect(await orderMailsTo(started, member)).toEqual(['order-placed', 'order-corrected'])
})

const reason = 'Never arrived.'

test.each([
  [{ paidAmount: null }, /Amount received: 0.5 → –/],
  [{ paidAmount: '0' }, /Amount received: 0.5 → 0/],
  [{ paidAmount: null, txId: randomBytes(32).toString('hex') }, /Amount received: 0.5 → –/],
])(
  'a member learns that their payment was removed while their order was canceled: %j',
  async (less, told) => {
    const member = await aBuyer(started)
    const order = await anOrderOf(started, member)
    await change(order._id, { paidAmount: '0.5', paidAt: '2026-01-05T00:00:00.000Z' })
    const ending = { ...less, status: 'cancelled' } as const
    expect((await change(order._id, ending)).problem.errors).toMatchObject([
      { path: 'reason', code: 'required' },
    ])
    expect((await change(order._id, { ...ending, reason })).status).toBe(200)
    const [corrected, cancelled, ...others] = (await mailsTo(member.email)).slice(-2)
    expect([corrected!.kind, cancelled!.kind, others]).toEqual(['order-corrected', 'order-cancelled', []])
    expect(corrected!.text).toMatch(told)
    for (const { text } of [corrected!, cancelled!]) expect(text).toContain(reason)
    expect((await console(order._id)).steps.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ field: 'paidAmount', before: '0.5', after: less.paidAmount }),
    )
  },
)

test('the history shows the member that their payment was removed while their order was canceled', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  await change(order._id, { paidAmount: '0.5' })
  await change(order._id, { paidAmount: null, status: 'cancelled', reason })
  const { steps } = await payment(member, order._id)
  expect(steps.map((step) => [step.kind, step.reason])).toEqual([
    ['placed', ''],
    ['corrected', ''],
    ['cancelled', reason],
  ])
})

test.each([
  ['cancelled', ['order-cancelled-paid']],
  ['completed', ['order-delivery-address-needed']],
] as const)(
  'a member learns that less was received than they were told while their order was %s',
  async (status, kinds) => {
    const member = await aBuyer(started)
    const order = await anOrderOf(started, member)
    await change(order._id, { paidAmount: '0.5' })
    expect((await change(order._id, { paidAmount: '0.49', status, reason })).status).toBe(200)
    const mails = (await mailsTo(member.email)).slice(-1 - kinds.length)
    expect(mails.map((mail) => mail.kind)).toEqual(['order-corrected', ...kinds])
    expect(mails[0]!.text).toMatch(/Amount received: 0.5 → 0.49/)
    expect(mails[0]!.text).toContain(reason)
    expect((await console(order._id)).steps.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ field: 'paidAmount', before: '0.5', after: '0.49' }),
    )
  },
)
