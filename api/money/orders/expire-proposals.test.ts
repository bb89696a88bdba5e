import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, asGift, moveDeadline, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from './deadline-worker.ts'
import { isApprovalValid } from './four-eyes.ts'

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '1' }, afterAll)
const { call, services, mailsTo } = started
const second = await anOfficer()

function anOfficer() {
  return aSignedInMember(started, { manage_finance: 2 })
}

const complete = (by: TestMember, id: string) =>
  call(api.updateOrder, { body: { _id: id, ...asGift } }, { token: by.token })
const read = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: second.token })).body
const age = (id: string, ms: number) =>
  services.db
    .updateTable('token_order')
    .set({ completion_proposed_at: new Date(Date.now() - ms) })
    .where('id', '=', id)
    .execute()
const loseRight = ({ id }: TestMember) =>
  services.db.updateTable('member').set({ manage_finance: 1 }).where('id', '=', id).execute()
const mailsAbout = async ({ email }: TestMember) =>
  (await mailsTo(email)).filter(({ kind }) => kind === 'staff-order-lapsed')

async function aProposal() {
  const [officer, member] = [await anOfficer(), await aBuyer(started)]
  const order = await anOrderOf(started, member)
  expect((await complete(officer, order._id)).body.status).toBe('pending')
  expect((await read(order._id)).proposal?.by.id).toBe(officer.id)
  return { officer, member, id: order._id }
}

const ends: [string, (of: Awaited<ReturnType<typeof aProposal>>) => Promise<unknown>, number][] = [
  ['after three days', ({ id }) => age(id, 3 * DAY), 1],
  ['once its officer has lost the right', ({ officer }) => loseRight(officer), 0],
]

test.each(ends)('a proposal to complete ends %s, and the payment period restarts', async (_, end, mails) => {
  const of = await aProposal()
  await moveDeadline(started, of.id, -60)
  await age(of.id, 3 * DAY - HOUR)
  await enforceDeadlines(services)
  expect((await read(of.id)).proposal).not.toBeNull()
  await end(of)
  for (let round = 0; round < 2; round += 1) await enforceDeadlines(services)
  const { order, proposal, flags, steps } = await read(of.id)
  expect({ status: order.status, proposal, flags }).toEqual({ status: 'pending', proposal: null, flags: [] })
  expect(Date.parse(order.payBefore!) - Date.now()).toBeGreaterThan(23.9 * HOUR)
  expect(steps.map(({ kind }) => kind)).toEqual([
    'placed',
    'payment_recorded',
    'completion_proposed',
    'completion_lapsed',
  ])
  expect(steps.at(-1)!.by).toBeNull()
  expect(await mailsAbout(of.officer)).toHaveLength(mails)
  expect(await orderMailsTo(started, of.member)).toEqual(['order-placed'])
  await moveDeadline(started, of.id, -60)
  await enforceDeadlines(services)
  expect((await read(of.id)).order.status).toBe('cancelled')
})

test('an officer temporarily without a second factor keeps the proposal, which is not valid meanwhile', async () => {
  const { id } = await aProposal()
  const config = { ...services.config, isStaffSecondFactorRequired: true }
  await enforceDeadlines({ ...services, config })
  const { completion_proposed_by: by, ...order } = await services.db
    .selectFrom('token_order')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(by).not.toBeNull()
  expect(await isApprovalValid(services.db, config, { ...order, completion_proposed_by: by })).toBe(false)
  expect(await isApprovalValid(services.db, services.config, { ...order, completion_proposed_by: by })).toBe(
    true,
  )
})

test('an expired proposal is no first approval, even before the worker has run', async () => {
  const { officer, id } = await aProposal()
  await age(id, 3 * DAY)
  expect((await read(id)).proposal?.counts).toBe(false)
  expect((await complete(second, id)).body.status).toBe('pending')
  expect((await read(id)).proposal).toMatchObject({ by: { id: second.id }, counts: true })
  await age(id, 3 * DAY)
  // The same officer may propose it again.
  expect((await complete(second, id)).body.status).toBe('pending')
  expect((await complete(officer, id)).body.status).toBe('completed')
})

test('an order with a known payment keeps waiting for finance', async () => {
  const [officer, member] = [await anOfficer(), await aBuyer(started)]
  const { _id: id } = await anOrderOf(started, member)
  await call(
    api.reportPayment,
    { params: { id }, body: { txId: randomBytes(32).toString('hex') } },
    { token: member.token },
  )
  await complete(officer, id)
  await moveDeadline(started, id, -60)
  const { payBefore } = (await read(id)).order
  await age(id, 3 * DAY)
  await enforceDeadlines(services)
  const { order, proposal, flags } = await read(id)
  expect(proposal).toBeNull()
  expect(order).toMatchObject({ status: 'pending', payBefore })
  expect(flags).toContain('payment_reported')
})

test('the member does not learn of it', async () => {
  const { member, id } = await aProposal()
  await age(id, 3 * DAY)
  await enforceDeadlines(services)
  const { body } = await call(api.getOrderPayment, { params: { id } }, { token: member.token })
  expect(body.steps.map(({ kind }) => kind)).toEqual(['placed'])
  expect(JSON.stringify((await call(api.exportMember, {}, { token: member.token })).body)).not.toMatch(
    /propos|laps/,
  )
})
