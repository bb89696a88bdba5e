import { afterAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const lastMail = async ({ email }: TestMember) => (await started.mailsTo(email)).at(-1)
const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '10000' }, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const reason = 'From a blocked wallet.'
const update = (id: string, body: object, by: TestMember = officer) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })

const needOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: officer.token })).body.cancellingNeeds

async function aPaidOrder(fabQty: string) {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty, amount: '1.5' })
  await update(id, { paidAmount: '1.5', reason: 'Seen.' }, colleague)
  return { id, member, as: { token: member.token } }
}

test('canceling an order with a received payment needs a reason, and allows a refund', async () => {
  const { id, as } = await aPaidOrder('10')
  expect(await needOf(id)).toBe('reason')
  expect((await update(id, { status: 'cancelled' })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  expect((await update(id, { status: 'cancelled', reason })).body.status).toBe('cancelled')
  expect((await call(api.getWithdrawalRight, { params: { id } }, as)).body.canRequest).toBe(true)
  const asked = await call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, as)
  expect(asked.body).toMatchObject({ state: 'requested' })
  const params = { id: asked.body.id }
  const by = { token: officer.token }
  expect((await call(api.closeWithdrawal, { params, body: { reason } }, by)).problem.code).toBe('conflict')
  expect((await call(api.acceptWithdrawal, { params, body: {} }, by)).body.state).toBe('accepted')
  const body = { amount: '1.5', txId: `0x${'7'.repeat(64)}`, paidOn: new Date().toISOString().slice(0, 10) }
  expect((await call(api.recordRefund, { params, body }, by)).body.state).toBe('refunded')
})

test('no one cancels a paid order that needs two approvals, even after its payment was removed', async () => {
  const { id, as } = await aPaidOrder('1000000')
  expect(await needOf(id)).toBe('withdrawal')
  const refused = [{ path: 'status', code: 'refund_first' }]
  expect((await update(id, { status: 'cancelled', reason })).problem.errors).toMatchObject(refused)
  await update(id, { fabQty: '5', confirmsQuantity: true, reason })
  expect((await update(id, { status: 'cancelled', reason })).problem.errors).toMatchObject(refused)
  expect((await update(id, { paidAmount: null, reason })).status).toBe(200)
  expect((await update(id, { status: 'cancelled', reason })).problem.errors).toMatchObject(refused)
  await update(id, { paidAmount: '1.5', reason })
  expect((await call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, as)).status).toBe(
    200,
  )
})

test.each([
  ['from the start', [{ paidAmount: '0', paidAt: null, reason }]],
  [
    'after it was removed',
    [
      { paidAmount: null, reason },
      { paidAmount: '0', reason },
    ],
  ],
])('recording 0 as received, %s, doesn’t make a paid order look unpaid', async (_, corrections) => {
  const large = await aPaidOrder('1000000')
  const small = await aPaidOrder('10')
  for (const { id } of [large, small])
    for (const correction of corrections) expect((await update(id, correction)).status).toBe(200)
  expect(await needOf(large.id)).toBe('withdrawal')
  expect((await update(large.id, { status: 'cancelled', reason })).problem.errors).toMatchObject([
    { path: 'status', code: 'refund_first' },
  ])
  expect((await update(small.id, { status: 'cancelled' })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  expect((await update(small.id, { status: 'cancelled', reason })).body.status).toBe('cancelled')
  expect((await lastMail(small.member))?.kind).toBe('order-cancelled')
})

test('cancels an unpaid order of any size without a reason', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '1000000', amount: '1.5' })
  expect(await needOf(id)).toBe('nothing')
  expect((await update(id, { status: 'cancelled' })).body.status).toBe('cancelled')
})

test('the email about a canceled order mentions the received payment and the refund', async () => {
  const { id, member } = await aPaidOrder('10')
  await update(id, { status: 'cancelled', reason })
  const mail = await lastMail(member)
  expect(mail?.kind).toBe('order-cancelled-paid')
  expect(mail?.text).toContain('refund')
  expect(mail?.text).not.toContain('don’t pay')
})

test('canceling an order with a reported payment needs a reason', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '10', txId: `0x${'8'.repeat(64)}` })
  expect(await needOf(id)).toBe('reason')
  expect((await update(id, { status: 'cancelled' })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  expect((await update(id, { status: 'cancelled', reason })).body.status).toBe('cancelled')
  expect((await lastMail(member))?.kind).toBe('order-cancelled')
})

describe('a request that cancels an order and enters its payment', () => {
  const paidAt = '2026-01-05T00:00:00.000Z'
  const anUnpaidOrder = async (fabQty: string | null) => {
    const member = await aSignedInMember(started)
    return (await anOrder(started, member.id, { fabQty, amount: '1.5' })).id
  }
  const cancel = (id: string, body: object) => update(id, { status: 'cancelled', ...body })
  const reasonRequired = [{ path: 'reason', code: 'required' }]
  const refundFirst = [{ path: 'status', code: 'refund_first' }]

  test.each([{ paidAmount: '1.5' }, { paidAt }, { txId: `0x${'9'.repeat(64)}` }])(
    'needs a reason: %j',
    async (payment) => {
      const id = await anUnpaidOrder('10')
      expect((await cancel(id, payment)).problem.errors).toMatchObject(reasonRequired)
      expect((await cancel(id, { ...payment, reason })).body.status).toBe('cancelled')
    },
  )

  test.each([{ paidAmount: '1.5' }, { paidAt }, { paidAmount: '1.5', fabQty: '5', confirmsQuantity: true }])(
    'is rejected for a large order: %j',
    async (payment) => {
      const id = await anUnpaidOrder('1000000')
      expect((await cancel(id, { ...payment, reason })).problem.errors).toMatchObject(refundFirst)
    },
  )

  test('is rejected if the same request makes the order a large one', async () => {
    const { id } = await aPaidOrder('10')
    const larger = { fabQty: '1000000', confirmsQuantity: true, reason }
    expect((await cancel(id, larger)).problem.errors).toMatchObject(refundFirst)
  })

  test('is rejected for a large order if it removes the payment', async () => {
    const { id } = await aPaidOrder('1000000')
    expect((await cancel(id, { paidAmount: null, reason })).problem.errors).toMatchObject(refundFirst)
  })

  test('needs no reason if it records that nothing was received', async () => {
    const id = await anUnpaidOrder('1000000')
    expect((await cancel(id, { paidAmount: '0' })).body.status).toBe('cancelled')
  })
})
