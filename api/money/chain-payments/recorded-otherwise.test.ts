import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { orderMailsTo } from '#tests/orders.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

const reason = 'Seen in another wallet.'
const refundAddress = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const by = ({ token }: TestMember) => ({ token })

async function scene() {
  const sale = await aWatchedSale({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: 'off' })
  const { started, buyer, chain } = sale
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const change = async (_id: string, body: object) => {
    const changed = await started.call(api.updateOrder, { body: { _id, reason, ...body } }, by(finance))
    expect([changed.status, changed.problem?.errors]).toEqual([200, undefined])
  }
  const mine = async () => {
    chain.mine(4)
    await chain.look()
    await chain.look()
  }
  return {
    ...sale,
    change,
    mine,
    pay: async (id: string, amount = '0.05') => {
      const txId = await chain.pay({ [id]: amount })
      await mine()
      return txId
    },
    refund: async (id: string, amount: string) => {
      const asked = await started.call(
        api.requestWithdrawal,
        { params: { id }, body: { refundAddress } },
        by(buyer),
      )
      const params = { id: asked.body.id }
      await started.call(api.acceptWithdrawal, { params, body: {} }, by(finance))
      const paidOn = new Date().toISOString().slice(0, 10)
      const body = { amount, txId: 'cd'.repeat(32), paidOn, reason }
      expect((await started.call(api.recordRefund, { params, body }, by(finance))).status).toBe(200)
    },
    flagsOf: async (id: string) => (await sale.detail(id)).flags,
    toFinance: async () =>
      (await started.mailsTo(finance.email)).flatMap(({ kind }) =>
        kind.startsWith('staff-order') ? [kind] : [],
      ),
    toBuyer: async () => orderMailsTo(started, buyer),
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

const elsewhere = { txId: 'ab'.repeat(32), paidAmount: '0.05' }

const before: [string, (of: Scene, id: string) => Promise<void>][] = [
  ['completed', ({ change }, id) => change(id, { ...elsewhere, status: 'completed' })],
  ['canceled', ({ change }, id) => change(id, { ...elsewhere, status: 'cancelled' })],
  [
    'canceled and refunded',
    async ({ change, refund }, id) => {
      await change(id, { ...elsewhere, status: 'cancelled' })
      await refund(id, '0.05')
    },
  ],
]

test.each(before)(
  'announces a payment to an order that was %s with a payment made elsewhere, until it is recorded',
  async (end, close) => {
    const of = await scene()
    const { order, pay, change, mine, flagsOf, toFinance, toBuyer } = of
    const id = await order('0.05')
    await close(of, id)
    expect(await flagsOf(id)).not.toContain('payment_unexpected')
    await pay(id)
    expect(await flagsOf(id)).toContain('payment_unexpected')
    expect(await toFinance()).toContain('staff-order-unexpected')
    if (end !== 'completed') expect(await toBuyer()).toContain('order-payment-seen-late')
    // A note says nothing about the amount.
    await change(id, {})
    expect(await flagsOf(id)).toContain('payment_unexpected')
    await change(id, { paidAmount: '0.1' })
    // A refund that was recorded before doesn't cover it.
    const kept = end !== 'canceled'
    expect((await flagsOf(id)).includes('payment_unexpected')).toBe(kept)
    await mine()
    expect((await flagsOf(id)).includes('payment_unexpected')).toBe(kept)
  },
)

test('a payment that arrives before the order is completed with another one stays flagged', async () => {
  const { order, pay, change, flagsOf, toFinance } = await scene()
  const id = await order('0.05')
  await change(id, elsewhere)
  await pay(id)
  expect(await toFinance()).toEqual(['staff-order-unexpected'])
  await change(id, { status: 'completed' })
  expect(await flagsOf(id)).toContain('payment_unexpected')
})

test('announces the second part if finance recorded the whole amount before it came', async () => {
  const { started, buyer, order, pay, change, flagsOf, toFinance } = await scene()
  const id = await order('0.05')
  await pay(id, '0.02')
  await change(id, { paidAmount: '0.05' })
  await started.call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, by(buyer))
  const told = (await toFinance()).length
  await pay(id, '0.03')
  expect((await toFinance()).slice(told)).toEqual(['staff-order-unexpected'])
  await change(id, { status: 'cancelled' })
  expect(await flagsOf(id)).toContain('payment_unexpected')
})

const replacing: [string, (of: Scene, id: string) => Promise<void>][] = [
  [
    'replaces the recorded one with a higher fee',
    async ({ chain, change, pay }, id) => {
      const txId = await chain.pay({ [id]: '0.05' })
      await chain.look()
      await change(id, { txId, paidAmount: '0.05', status: 'completed' })
      chain.drop(txId)
      await pay(id)
    },
  ],
  [
    'is the recorded one, which our node saw later',
    async ({ chain, change, mine }, id) => {
      const txId = await chain.pay({ [id]: '0.05' })
      await change(id, { txId, paidAmount: '0.05', status: 'completed' })
      await mine()
    },
  ],
  [
    'finance had recorded by mistake before it came',
    async ({ change, pay }, id) => {
      await change(id, { ...elsewhere, status: 'completed' })
      await pay(id)
      await change(id, { paidAmount: null })
      await change(id, { paidAmount: '0.05' })
    },
  ],
]

test.each(replacing)('does not count a payment twice that %s', async (_, pay) => {
  const of = await scene()
  const id = await of.order('0.05')
  await pay(of, id)
  await of.mine()
  expect(await of.flagsOf(id)).not.toContain('payment_unexpected')
})

test('emails finance about each further payment of a pending order, also if both are found at once', async () => {
  const { chain, order, pay, mine, toFinance } = await scene()
  const [first, second] = [await order('0.05'), await order('0.05')]
  await pay(first)
  expect(await toFinance()).toEqual([])
  await pay(first)
  expect(await toFinance()).toEqual(['staff-order-unexpected'])
  await chain.pay({ [second]: '0.05' })
  await chain.pay({ [second]: '0.05' })
  await mine()
  expect(await toFinance()).toEqual(['staff-order-unexpected', 'staff-order-unexpected'])
})
