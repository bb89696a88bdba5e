import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBankOrder } from '#tests/statements.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

/* Money that arrives after a refund, while refunds are corrected by two people, and on a monitored chain. */

const settings = { WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '10000' }
const watched = await aWatchedSale(settings, afterAll)
const reason = 'Seen in the account.'
const paidOn = new Date().toISOString().slice(0, 10)
let count = 0
const aTx = () =>
  createHash('sha256')
    .update(`refund ${(count += 1)}`)
    .digest('hex')

const { started, chain, buyer } = watched
const { call } = started

/** What two officers do with one order. */
async function twoOfficers() {
  const anOfficer = () => aSignedInMember(started, { manage_finance: 2 })
  const [first, second] = [await anOfficer(), await anOfficer()]
  const withdrawalOf = async (id: string) =>
    (await call(api.getConsoleWithdrawal, { params: { id } }, { token: first.token })).body.withdrawal!
  const isFlagged = async (id: string) => {
    const { body } = await call(api.getConsoleOrder, { params: { id } }, { token: first.token })
    const query = { flag: 'payment_unexpected' } as const
    const { body: listed } = await call(api.listConsoleOrders, { query }, { token: second.token })
    const isShown = body.flags.includes('payment_unexpected')
    expect(listed.some((order) => order.id === id)).toBe(isShown)
    return isShown
  }
  return {
    second,
    isFlagged,
    record: async (id: string, paidAmount: string, by = second) => {
      const body = { _id: id, paidAmount, reason }
      expect((await call(api.updateOrder, { body }, { token: by.token })).status).toBe(200)
    },
    withdraw: async (owner: TestMember, id: string, refundAddress: string) => {
      const params = { params: { id }, body: { refundAddress } }
      const asked = await call(api.requestWithdrawal, params, { token: owner.token })
      const accepting = { params: { id: asked.body.id }, body: {} }
      for (const { token } of [first, second])
        if ((await withdrawalOf(id)).state === 'requested')
          await call(api.acceptWithdrawal, accepting, { token })
      expect((await withdrawalOf(id)).state).toBe('accepted')
    },
    /** Records or corrects the refund. The second officer approves it if needed; until then, nothing changes. */
    refund: async (id: string, amount: string) => {
      const [txId, before] = [aTx(), await isFlagged(id)]
      for (const { token } of [first, second]) {
        const { id: withdrawalId, updatedAt, refund, state } = await withdrawalOf(id)
        if (state === 'refunded' && refund?.txId === txId) continue
        expect(await isFlagged(id)).toBe(before)
        const body = { amount, txId, paidOn, reason, ...(state === 'refunded' && { updatedAt }) }
        const answer = await call(api.recordRefund, { params: { id: withdrawalId }, body }, { token })
        expect([answer.status, answer.problem.errors]).toEqual([200, undefined])
      }
      expect((await withdrawalOf(id)).refund).toMatchObject({ amount, txId })
    },
  }
}

test('with four-eyes approval, a second and third correction clear the flag only if they cover everything', async () => {
  const { record, withdraw, refund, isFlagged } = await twoOfficers()
  const member = await aSignedInMember(started)
  const { id } = await aBankOrder(started, member)
  await record(id, '100')
  await withdraw(member, id, 'DE02 1203 0000 0000 2020 51')
  await refund(id, '100')
  await record(id, '180')
  for (const [amount, expected] of [
    ['150', true],
    ['170', true],
    ['180', false],
    ['150', true],
    ['180', false],
  ] as const) {
    await refund(id, amount)
    expect([amount, await isFlagged(id)]).toEqual([amount, expected])
  }
})

const refundTo = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
async function pay(id: string, amount: string) {
  await chain.pay({ [id]: amount })
  chain.mine(4)
  await chain.look()
}

test.each(['before', 'after'])(
  'a further payment on chain is flagged until the refund covers it: finance records it %s a correction',
  async (when) => {
    const { record, withdraw, refund, isFlagged } = await twoOfficers()
    const id = await watched.order('0.5')
    await pay(id, '0.2')
    await withdraw(buyer, id, refundTo)
    await refund(id, '0.2')
    expect(await isFlagged(id)).toBe(false)
    await pay(id, '0.4')
    expect(await isFlagged(id)).toBe(true)
    if (when === 'before') await record(id, '0.6')
    await refund(id, '0.3')
    expect(await isFlagged(id)).toBe(true)
    await refund(id, '0.6')
    if (when === 'after') await record(id, '0.6')
    expect(await isFlagged(id)).toBe(false)
    if (when === 'after') return
    await refund(id, '0.59')
    expect(await isFlagged(id)).toBe(true)
  },
)

test('a completed order is flagged until the refund covers a further payment on chain', async () => {
  const { record, withdraw, refund, isFlagged, second } = await twoOfficers()
  const id = await watched.order('0.5')
  await pay(id, '0.5')
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  for (const { token } of [second, colleague]) {
    const body = { _id: id, status: 'completed', paidAmount: '0.5', reason } as const
    expect((await call(api.updateOrder, { body }, { token })).status).toBe(200)
  }
  expect((await watched.detail(id)).order.status).toBe('completed')
  await withdraw(buyer, id, refundTo)
  await refund(id, '0.5')
  await pay(id, '0.3')
  expect(await isFlagged(id)).toBe(true)
  for (const by of [second, colleague]) await record(id, '0.8', by)
  expect((await watched.detail(id)).paidAmount).toBe('0.8')
  for (const [amount, expected] of [
    ['0.6', true],
    ['0.7', true],
    ['0.8', false],
  ] as const) {
    await refund(id, amount)
    expect([amount, await isFlagged(id)]).toEqual([amount, expected])
  }
})
