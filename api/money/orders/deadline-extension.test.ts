import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import { enforceDeadlines } from './deadline-worker.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
const extend = (
  id: string,
  body: { payBefore: string; reason?: string; updatedAt?: string },
  by: TestMember = finance,
) =>
  call(
    api.extendOrderDeadline,
    { params: { id }, body: { reason: 'A bank holiday.', ...body } },
    { token: by.token },
  )

async function aPlacedOrder() {
  const member = await aBuyer(started)
  return { member, order: await anOrderOf(started, member) }
}

test('finance extends a deadline with a reason that the member reads', async () => {
  const { member, order } = await aPlacedOrder()
  const payBefore = inHours(72)
  await moveDeadline(started, order._id, 60)
  await enforceDeadlines(services)
  expect((await extend(order._id, { payBefore })).body).toMatchObject({ payBefore, status: 'pending' })
  const { body } = await call(api.getOrderPayment, { params: { id: order._id } }, { token: member.token })
  expect(body).toMatchObject({ payBefore })
  expect(body.steps.at(-1)).toMatchObject({ kind: 'deadline_extended', reason: 'A bank holiday.' })
  const audited = await services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('action', '=', 'order-deadline-extended')
    .where('subject_id', '=', order._id)
    .executeTakeFirstOrThrow()
  expect(audited.detail).toMatchObject({
    changes: [expect.stringMatching(`^payBefore: .+Z → ${payBefore}$`)],
  })
  expect((await mailsTo(member.email)).at(-1)).toMatchObject({
    kind: 'order-deadline-extended',
    text: expect.stringContaining('A bank holiday.'),
  })
  // The new deadline gets its own reminder.
  await moveDeadline(started, order._id, 60)
  await enforceDeadlines(services)
  expect((await orderMailsTo(started, member)).filter((kind) => kind === 'order-reminder')).toHaveLength(2)
})

test('extending saves an overdue order that is not yet canceled, and no other', async () => {
  const { order } = await aPlacedOrder()
  await moveDeadline(started, order._id, -1)
  expect((await extend(order._id, { payBefore: inHours(1) })).status).toBe(200)
  await enforceDeadlines(services)
  await moveDeadline(started, order._id, -1)
  await enforceDeadlines(services)
  expect((await extend(order._id, { payBefore: inHours(1) })).problem.code).toBe('conflict')
})

test.each([
  ['a time that is not later than the deadline', () => inHours(1), 'invalid'],
  ['a time in the past', () => inHours(-1), 'past'],
  ['a word', () => 'tomorrow', 'invalid'],
  ['a day that no month has', () => '2026-02-30T00:00:00.000Z', 'invalid'],
  ['more than ninety days', () => inHours(91 * 24), 'too_far'],
])('%s is refused', async (_, time, code) => {
  const { order } = await aPlacedOrder()
  expect((await extend(order._id, { payBefore: time() })).problem.errors).toMatchObject([
    { path: 'payBefore', code },
  ])
})

test('extending needs a reason, step-up, another member’s order, and the current version', async () => {
  const { member, order } = await aPlacedOrder()
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const own = await anOrder(started, officer.id)
  const payBefore = inHours(72)
  expect((await extend(order._id, { payBefore, reason: ' ' })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  expect((await extend(own.id, { payBefore }, officer)).problem.code).toBe('forbidden')
  expect((await extend(order._id, { payBefore, updatedAt: inHours(-1) })).problem.code).toBe('conflict')
  expect((await extend('nothing', { payBefore })).problem.code).toBe('not_found')
  expect((await extend(order._id, { payBefore }, member)).problem.code).toBe('forbidden')
  await letProofAge(started, officer)
  expect((await extend(order._id, { payBefore }, officer)).problem.code).toBe('step_up_required')
})

test('an order that cannot be paid has no deadline to extend', async () => {
  const { id } = await anOrder(started, (await aSignedInMember(started)).id, { amount: null })
  expect((await extend(id, { payBefore: inHours(72) })).problem.code).toBe('conflict')
})
