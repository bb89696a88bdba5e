import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement } from '#tests/statements.ts'
import { letProofAge } from '#tests/step-up.ts'
import { enforceDeadlines } from './deadline-worker.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: 'off' }, afterAll)
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

const noDeadline = { code: 'conflict', errors: [{ path: 'payBefore', code: 'no_deadline' }] }
const lastMailTo = async ({ email }: TestMember) => (await mailsTo(email)).at(-1)
const today = new Date().toISOString().slice(0, 10)

test.each([
  ['an amount', { paidAmount: '0.1' }],
  ['a date', { paidAt: `${today}T00:00:00.000Z` }],
])('an order with %s recorded as its payment has no deadline to extend', async (_, paid) => {
  const { member, order } = await aPlacedOrder()
  const recorded = { _id: order._id, ...paid, reason: 'Seen.' }
  expect((await call(api.updateOrder, { body: recorded }, { token: finance.token })).status).toBe(200)
  expect((await extend(order._id, { payBefore: inHours(72) })).problem).toMatchObject(noDeadline)
  expect(await orderMailsTo(started, member)).not.toContain('order-deadline-extended')
})

test('an order whose withdrawal is open has no deadline to extend', async () => {
  const { member, order } = await aPlacedOrder()
  await report(member, order._id)
  const body = { refundAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }
  const asked = await call(
    api.requestWithdrawal,
    { params: { id: order._id }, body },
    { token: member.token },
  )
  expect(asked.body.state).toBe('requested')
  expect((await extend(order._id, { payBefore: inHours(72) })).problem).toMatchObject(noDeadline)
})

const report = async (member: TestMember, id: string) => {
  const body = { txId: randomBytes(32).toString('hex') }
  const reported = await call(api.reportPayment, { params: { id }, body }, { token: member.token })
  expect(reported.status).toBe(200)
}

test('the email about the new deadline doesn’t ask a member to pay who reported a payment', async () => {
  const { member, order } = await aPlacedOrder()
  await report(member, order._id)
  const payBefore = inHours(72)
  expect((await extend(order._id, { payBefore })).body).toMatchObject({ payBefore })
  const mail = await lastMailTo(member)
  expect(mail).toMatchObject({ kind: 'order-deadline-extended-unconfirmed' })
  expect(mail!.text).toContain('please don’t pay again')
  expect(mail!.text).toContain('A bank holiday.')
})

test('nor a member whose payment an open statement line may show', async () => {
  const member = await aBuyer(started)
  const { id, reference } = await aBankOrder(started, member)
  await moveDeadline(started, id, 3600)
  const text = `Date;Amount;Purpose\n${today};one hundred;${reference}\n`
  expect((await importStatement(started, finance, text, bankMapping)).done.problems).toHaveLength(1)
  expect((await extend(id, { payBefore: inHours(72) })).status).toBe(200)
  expect(await lastMailTo(member)).toMatchObject({ kind: 'order-deadline-extended-unconfirmed' })
})
