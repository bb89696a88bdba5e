import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { orderMailsTo } from '#tests/orders.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

/* What arrives at an order's own address counts, even while nobody has entered how much is due. */

const reason = 'As agreed with the member.'
const by = ({ token }: TestMember) => ({ token })
const elsewhere = { txId: 'ab'.repeat(32), paidAmount: '0.05' }

async function scene() {
  const sale = await aWatchedSale({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: 'off' })
  const { started, buyer, chain } = sale
  const { call, services, mailsTo } = started
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const change = (_id: string, body: object) =>
    call(api.updateOrder, { body: { _id, reason, ...body } }, by(finance))
  const mine = async (blocks = 4) => {
    chain.mine(blocks)
    await chain.look()
    await chain.look()
  }
  return {
    ...sale,
    mine,
    change: async (id: string, body: object) => {
      const changed = await change(id, body)
      expect([changed.status, changed.problem?.errors]).toEqual([200, undefined])
    },
    tryToChange: change,
    /** An order that finance entered without the amount due. */
    enter: async () => {
      const body = { memberId: buyer.id, payMethod: 'BTC', amount: null, fabQty: '60', reason }
      return (await call(api.createOrder, { body }, by(finance))).body._id
    },
    pay: async (id: string, amount = '0.05') => {
      const txId = await chain.pay({ [id]: amount })
      await mine()
      return txId
    },
    evaluationOf: (id: string) =>
      services.db
        .selectFrom('chain_payment')
        .select(['state', 'received'])
        .where('order_id', '=', id)
        .executeTakeFirstOrThrow(),
    flagsOf: async (id: string) => (await sale.detail(id)).flags,
    toFinance: async () =>
      (await mailsTo(finance.email)).flatMap(({ kind }) => (kind.startsWith('staff-order') ? [kind] : [])),
    toBuyer: () => orderMailsTo(started, buyer),
    cancelByMember: (id: string) =>
      call(api.cancelOrder, { params: { id }, body: null }, { token: buyer.token }),
    payments: async (id: string) => [
      (await call(api.getChainPayment, { params: { id } }, by(buyer))).body.payment,
      (await call(api.getOrderChainPayment, { params: { id } }, by(finance))).body.payment,
    ],
  }
}

test('a payment of an order without an amount due is named, and a further one after its completion is announced', async () => {
  const { enter, pay, change, detail, evaluationOf, flagsOf, toFinance, toBuyer, payments } = await scene()
  const id = await enter()
  const txId = await pay(id)
  expect((await detail(id)).order.txId).toBe(txId)
  expect(await evaluationOf(id)).toEqual({ state: 'confirming', received: '0.050000000000000000' })
  expect(await flagsOf(id)).not.toContain('payment_unexpected')
  expect(await flagsOf(id)).not.toContain('ready_to_complete')
  expect(await toBuyer()).toContain('order-payment-seen')
  // Without the amount due, nothing says whether the payment is complete.
  expect(await payments(id)).toEqual([null, null])
  await change(id, { paidAmount: '0.05', status: 'completed' })
  expect(await flagsOf(id)).not.toContain('payment_unexpected')
  const told = (await toFinance()).length
  await pay(id, '0.02')
  expect(await flagsOf(id)).toContain('payment_unexpected')
  expect((await toFinance()).slice(told)).toEqual(['staff-order-unexpected'])
})

test('finance is told about a further payment of an open order without an amount due, once', async () => {
  const { enter, pay, mine, flagsOf, toFinance } = await scene()
  const id = await enter()
  await pay(id)
  const told = (await toFinance()).length
  await pay(id, '0.02')
  await mine()
  expect((await toFinance()).slice(told)).toEqual(['staff-order-unexpected'])
  expect(await flagsOf(id)).not.toContain('payment_unexpected')
})

test('the payment is evaluated against the amount due as soon as finance enters it', async () => {
  const { enter, pay, change, mine, evaluationOf, flagsOf } = await scene()
  const id = await enter()
  await pay(id)
  await change(id, { amount: '0.05', confirmsQuantity: true })
  await mine(1)
  expect((await evaluationOf(id)).state).toBe('paid')
  expect(await flagsOf(id)).toContain('ready_to_complete')
})

test('the member and finance are told about a payment of a canceled order whose amount due was removed', async () => {
  const { order, pay, change, flagsOf, toFinance, toBuyer } = await scene()
  const id = await order('0.05')
  await change(id, { amount: null, confirmsQuantity: true })
  await change(id, { status: 'cancelled' })
  const [finance, buyer] = [(await toFinance()).length, (await toBuyer()).length]
  await pay(id)
  expect(await flagsOf(id)).toContain('reported_late')
  expect((await toFinance()).slice(finance)).toHaveLength(1)
  expect((await toBuyer()).slice(buyer)).toEqual(['order-payment-seen-late'])
  await pay(id, '0.01')
  expect(await flagsOf(id)).toContain('payment_unexpected')
  expect((await toFinance()).slice(finance)).toHaveLength(2)
  expect((await toBuyer()).slice(buyer)).toHaveLength(2)
})

test('a payment to an order that was completed without an amount due, with one made elsewhere, is announced', async () => {
  const { order, pay, change, flagsOf, toFinance } = await scene()
  const id = await order('0.05')
  await change(id, elsewhere)
  await change(id, { amount: null, confirmsQuantity: true })
  await change(id, { status: 'completed' })
  const told = (await toFinance()).length
  await pay(id)
  expect(await flagsOf(id)).toContain('payment_unexpected')
  expect((await toFinance()).slice(told)).toEqual(['staff-order-unexpected'])
})

test('a member can’t cancel an order without an amount due once its payment was seen', async () => {
  const { enter, pay, cancelByMember } = await scene()
  const id = await enter()
  await pay(id)
  expect((await cancelByMember(id)).problem.code).toBe('conflict')
})

test.each(['0.05', '0.02'])(
  'removing the amount due doesn’t hide a payment of %s from a change of the payment method',
  async (amount) => {
    const { order, pay, mine, change, tryToChange, evaluationOf } = await scene()
    const id = await order('0.05')
    await pay(id, amount)
    await change(id, { amount: null, confirmsQuantity: true })
    for (let times = 0; times < 3; times += 1) await mine(6)
    expect(Number((await evaluationOf(id)).received)).toBe(Number(amount))
    const { problem } = await tryToChange(id, { payMethod: 'ETH', amount: '1.5', fabQty: '6000.75' })
    expect(problem.errors).toMatchObject([{ path: 'payMethod', code: 'payment_received' }])
  },
)
