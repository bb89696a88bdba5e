import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline, orderMailsTo, stepsOf, updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { enforceDeadlines } from './deadline-worker.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const [finance, other] = [
  await aSignedInMember(started, { manage_finance: 2 }),
  await aSignedInMember(started, { manage_finance: 2 }),
]
const rounds = 6

const aTxId = () => randomBytes(32).toString('hex')
const report = (by: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: by.token })
const update = (body: Parameters<typeof call<typeof api.updateOrder>>[1]['body'], by = finance) =>
  updatePaid(started, body, by)
const cancel = (by: TestMember, id: string) =>
  call(api.cancelOrder, { params: { id }, body: null }, { token: by.token })
const later = (n: number) => new Promise((resolve) => setTimeout(resolve, n * 30))
const before = ['order-placed', 'order-reminder']
const ends = ['completed', 'cancelled', 'unpaid', 'withdrawn']

async function endOf(member: TestMember, id: string) {
  const { body } = await call(api.getOrder, { params: { id } }, { token: member.token })
  const steps = await stepsOf(started, member, id)
  return { order: body, ended: steps.filter((kind) => ends.includes(kind)) }
}

test('of cancellations by member, officer, and deadline, and a completion, exactly one ends the order', async () => {
  for (let n = 0; n < rounds; n += 1) {
    const member = await aBuyer(started)
    const { _id } = await anOrderOf(started, member)
    await moveDeadline(started, _id, 0.03 * n)
    const answers = await Promise.all([
      later(n % 2).then(() => cancel(member, _id)),
      later(n % 3).then(() => update({ _id, status: 'completed' })),
      update({ _id, status: 'cancelled', reason: 'Agreed.' }, other),
      later(1).then(() => enforceDeadlines(services)),
    ])
    for (const answer of answers) if (answer) expect([200, 409]).toContain(answer.status)
    const { order, ended } = await endOf(member, _id)
    expect(ended).toHaveLength(1)
    expect(order.status).toBe(ended[0] === 'completed' ? 'completed' : 'cancelled')
    const ofEnds = (await orderMailsTo(started, member)).filter((kind) => !before.includes(kind))
    expect(ofEnds).toHaveLength(1)
  }
})

test('concurrent claim, officer, and deadline lose nothing and leave nothing half done', async () => {
  for (let n = 0; n < rounds; n += 1) {
    const [first, second] = [await aBuyer(started), await aBuyer(started)]
    const [held, raced] = [await anOrderOf(started, first), await anOrderOf(started, second)]
    const txId = aTxId()
    await report(first, held._id, txId)
    await moveDeadline(started, raced._id, 0.03 * n)
    const [claim, , completed] = await Promise.all([
      later(n % 3).then(() => report(second, raced._id, txId)),
      later(1).then(() => enforceDeadlines(services)),
      later(n % 2).then(() => update({ _id: held._id, status: 'completed' })),
    ])
    await enforceDeadlines(services)
    expect(claim.status).toBe(409)
    const [one, two] = [await endOf(first, held._id), await endOf(second, raced._id)]
    expect([one.order.disputed, two.order.disputed]).toEqual([true, true])
    expect(one.order.status).toBe(completed.status === 200 ? 'completed' : 'pending')
    expect(two.ended).toEqual(two.order.status === 'cancelled' ? ['unpaid'] : [])
  }
})

test('two members who dispute each other’s transactions at once both have their dispute', async () => {
  for (let n = 0; n < rounds; n += 1) {
    const [first, second] = [await aBuyer(started), await aBuyer(started)]
    const [a, b] = [await anOrderOf(started, first), await anOrderOf(started, second)]
    const [ofA, ofB] = [aTxId(), aTxId()]
    await report(first, a._id, ofA)
    await report(second, b._id, ofB)
    const answers = await Promise.all([report(first, a._id, ofB), report(second, b._id, ofA)])
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
    const [one, two] = [await endOf(first, a._id), await endOf(second, b._id)]
    expect([one.order, two.order]).toMatchObject([
      { disputed: true, txId: ofA },
      { disputed: true, txId: ofB },
    ])
  }
})
