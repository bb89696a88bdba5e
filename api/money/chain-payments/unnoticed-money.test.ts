import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, orderMailsTo } from '#tests/orders.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'
import { enforceDeadlines } from '../orders/deadline-worker.ts'

const reason = 'As agreed with the member.'
const refundAddress = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const by = ({ token }: TestMember) => ({ token })

async function scene(settings: Record<string, string> = {}) {
  const sale = await aWatchedSale({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: 'off', ...settings })
  const { started, buyer, chain } = sale
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  const change = async (_id: string, body: object, officer = finance) => {
    const changed = await started.call(api.updateOrder, { body: { _id, reason, ...body } }, by(officer))
    expect([changed.status, changed.problem?.errors]).toEqual([200, undefined])
  }
  return {
    ...sale,
    finance,
    colleague,
    change,
    look: async () => {
      await chain.look()
      await chain.look()
    },
    mine: async () => {
      chain.mine(4)
      await chain.look()
      await chain.look()
    },
    report: (id: string, txId: string, member = buyer) =>
      started.call(api.reportPayment, { params: { id }, body: { txId } }, by(member)),
    withdraw: async (id: string) =>
      (await started.call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, by(buyer)))
        .body,
    /** Simulates that time passed for the order and for what arrived, and lets the deadline worker run. */
    pass: async (id: string, hours: number) => {
      const shift = sql.raw(`- ${hours} * interval '1 hour'`)
      const { db } = started.services
      await sql`update token_order set created_at = created_at ${shift}, pay_before = pay_before ${shift},
        reported_at = reported_at ${shift} where id = ${id}`.execute(db)
      await sql`update chain_address set created_at = created_at ${shift}`.execute(db)
      await sql`update chain_transfer set first_seen_at = first_seen_at ${shift}, block_at = block_at ${shift}`.execute(
        db,
      )
      await chain.look()
      await enforceDeadlines(started.services)
    },
    statusOf: async (id: string) => (await sale.detail(id)).order.status,
    flagsOf: async (id: string) => (await sale.detail(id)).flags,
    toFinance: async (about = '') =>
      (await started.mailsTo(finance.email)).flatMap(({ kind, text }) =>
        kind.startsWith('staff-order') && text.includes(about) ? [kind] : [],
      ),
    toBuyer: async () => orderMailsTo(started, buyer),
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

const threeDays = 72

test('keeps an order whose payment someone else had reported first', async () => {
  const { started, chain, order, change, look, mine, pass, statusOf, flagsOf, report } = await scene()
  const thief = await aBuyer(started)
  const stolen = (await anOrderOf(started, thief, 'BTC', '0.5'))._id
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  expect((await report(stolen, txId, thief)).status).toBe(200)
  await look()
  expect(await flagsOf(id)).toContain('disputed')
  await change(stolen, { txId: null, disputed: false })
  await change(id, { disputed: false })
  await mine()
  expect(await flagsOf(id)).toContain('ready_to_complete')
  await pass(id, threeDays)
  expect(await statusOf(id)).toBe('pending')
})

const hidden: [string, (of: Scene, id: string) => Promise<void>][] = [
  [
    'finance had removed its transaction while it was gone',
    async ({ chain, change, look }, id) => {
      const txId = await chain.pay({ [id]: '0.5' })
      await look()
      chain.drop(txId)
      await look()
      await change(id, { txId: null })
      chain.restore(txId)
    },
  ],
  [
    'its member had reported too many others',
    async ({ chain, report }, id) => {
      for (let n = 0; n < 10; n += 1) await report(id, `${n}`.repeat(64))
      await chain.pay({ [id]: '0.5' })
    },
  ],
  [
    'it went to an address that the order had before',
    async ({ chain, change }, id) => {
      const target = await chain.targetOf(id)
      await change(id, { payMethod: 'ETH', amount: '15', confirmsQuantity: true })
      await chain.pay({ [target]: '0.5' })
    },
  ],
]

test.each(hidden)('keeps an order that was paid in time, although %s', async (_, pay) => {
  const of = await scene()
  const id = await of.order()
  await pay(of, id)
  await of.mine()
  await of.pass(id, threeDays)
  expect(await of.statusOf(id)).toBe('pending')
})

test('an order canceled at its deadline although money came late says so to its member and to finance', async () => {
  const { chain, order, change, look, mine, pass, statusOf, flagsOf, toBuyer, toFinance } = await scene()
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  await look()
  chain.drop(txId)
  await look()
  await change(id, { txId: null })
  await pass(id, threeDays)
  // The order got a new payment period.
  if ((await statusOf(id)) === 'pending') await pass(id, threeDays)
  chain.restore(txId)
  await mine()
  await pass(id, 48)
  expect(await statusOf(id)).toBe('cancelled')
  expect(await flagsOf(id)).toContain('payment_unexpected')
  expect(await toFinance()).toContain('staff-order-unexpected')
  expect(await toBuyer()).toContain('order-payment-seen-late')
  await look()
  expect(await flagsOf(id)).toContain('payment_unexpected')
})

test('a member who cancels an order learns how to get back what went to its former address', async () => {
  const { started, buyer, chain, order, change, mine, toBuyer, toFinance } = await scene()
  const id = await order()
  const target = await chain.targetOf(id)
  await change(id, { payMethod: 'ETH', amount: '15', confirmsQuantity: true })
  await chain.pay({ [target]: '0.5' })
  await mine()
  expect(await toFinance()).toEqual(['staff-order-unexpected'])
  await started.call(api.cancelOrder, { params: { id }, body: null }, by(buyer))
  expect((await toBuyer()).slice(-2)).toEqual(['order-withdrawn', 'order-paid-cancelled'])
})

test('a note about another payment does not settle money at a former address', async () => {
  const { chain, order, change, mine, flagsOf } = await scene()
  const id = await order('0.02')
  const target = await chain.targetOf(id)
  await change(id, { payMethod: 'ETH', amount: '0.6', confirmsQuantity: true })
  await chain.pay({ [target]: '0.02' })
  await mine()
  await change(id, { txId: `0x${'ab'.repeat(32)}`, paidAmount: '0.6' })
  await change(id, { status: 'completed' })
  expect(await flagsOf(id)).toContain('payment_unexpected')
  await change(id, { reason: 'We sent the 0.02 BTC back.' })
  expect(await flagsOf(id)).not.toContain('payment_unexpected')
})

test('announces a payment that arrives after the order was canceled and refunded', async () => {
  const of = await scene()
  const { started, chain, order, mine, withdraw, finance, flagsOf, toBuyer, toFinance } = of
  const id = await order('0.05')
  await chain.pay({ [id]: '0.05' })
  await mine()
  const params = { id: (await withdraw(id)).id }
  await started.call(api.acceptWithdrawal, { params, body: {} }, by(finance))
  const body = {
    amount: '0.05',
    txId: 'cd'.repeat(32),
    paidOn: new Date().toISOString().slice(0, 10),
    reason,
  }
  expect((await started.call(api.recordRefund, { params, body }, by(finance))).status).toBe(200)
  await chain.pay({ [id]: '0.05' })
  await mine()
  expect(await flagsOf(id)).toContain('payment_unexpected')
  expect(await toFinance()).toContain('staff-order-unexpected')
  expect(await toBuyer()).toContain('order-payment-seen-late')
})

test('emails finance about each late payment that the chain shows, but only about the first report', async () => {
  const { chain, order, change, look, mine, pass, report, toFinance, statusOf } = await scene()
  const id = await order()
  await pass(id, threeDays)
  expect(await statusOf(id)).toBe('cancelled')
  await report(id, 'ab'.repeat(32))
  await change(id, { reportedLate: false })
  await report(id, 'cd'.repeat(32))
  await change(id, { reportedLate: false })
  expect(await toFinance()).toEqual(['staff-order-late'])
  await chain.pay({ [id]: '0.5' })
  await mine()
  await look()
  expect(await toFinance()).toEqual(['staff-order-late', 'staff-order-unexpected'])
})

test('flags an order of which only a small part was paid in time', async () => {
  const { chain, order, look, mine, pass, flagsOf, statusOf, toFinance, toBuyer, buyer, report } =
    await scene()
  const id = await order('0.05')
  const dust = await chain.pay({ [id]: '0.00000001' })
  await mine()
  await pass(id, 96)
  await chain.pay({ [id]: '0.04999999' })
  await mine()
  expect(await statusOf(id)).toBe('pending')
  expect(await flagsOf(id)).toContain('reported_late')
  expect(await toFinance()).toEqual(['staff-order-late'])
  // Neither another late payment nor a new report of the first one clears the flag.
  await chain.pay({ [id]: '0.001' })
  await mine()
  await report(id, dust, buyer)
  await look()
  expect(await flagsOf(id)).toContain('reported_late')
  const late = (await toBuyer()).filter((kind) => kind === 'order-payment-seen-late')
  await look()
  expect((await toBuyer()).filter((kind) => kind === 'order-payment-seen-late')).toEqual(late)
})

test.each([
  ['is too small', { first: '0.1', refund: '0.001' }],
  ['came before the surplus', { first: '0.05', refund: '0.05', second: '0.05' }],
])(
  'a refund that %s does not settle the surplus of a completed order',
  async (_, { first, refund, second }: { first: string; refund: string; second?: string }) => {
    const { started, chain, order, change, mine, withdraw, finance, colleague, flagsOf } = await scene()
    const id = await order('0.05')
    await chain.pay({ [id]: first })
    await mine()
    await change(id, { status: 'completed', paidAmount: first })
    const params = { id: (await withdraw(id)).id }
    await started.call(api.acceptWithdrawal, { params, body: {} }, by(finance))
    const paidOn = new Date().toISOString().slice(0, 10)
    // The same coin in another spelling.
    const body = { amount: refund, currency: 'btc', txId: 'cd'.repeat(32), paidOn, reason }
    await started.call(api.recordRefund, { params, body }, by(finance))
    if (second) {
      await chain.pay({ [id]: second })
      await mine()
      await change(id, { paidAmount: '0.1' })
      await change(id, { paidAmount: '0.1' }, colleague)
    }
    expect(await flagsOf(id)).toContain('payment_unexpected')
  },
)

test('a surplus of a completed order stays flagged after it is recorded, and more of it is announced', async () => {
  const { chain, order, change, mine, flagsOf, toFinance } = await scene()
  const id = await order('0.05')
  await chain.pay({ [id]: '0.05' })
  await mine()
  await change(id, { status: 'completed', paidAmount: '0.05' })
  await chain.pay({ [id]: '0.02' })
  await mine()
  expect(await toFinance()).toEqual(['staff-order-unexpected'])
  await change(id, { paidAmount: '0.07' })
  await mine()
  expect(await flagsOf(id)).toContain('payment_unexpected')
  await chain.pay({ [id]: '0.01' })
  await mine()
  expect(await toFinance()).toEqual(['staff-order-unexpected', 'staff-order-unexpected'])
})

test('announces each payment to a former address, to the member too if the order is canceled', async () => {
  const { started, buyer, chain, order, change, mine, toFinance, toBuyer } = await scene()
  const id = await order('0.02')
  const target = await chain.targetOf(id)
  await change(id, { payMethod: 'ETH', amount: '0.6', confirmsQuantity: true })
  await started.call(api.cancelOrder, { params: { id }, body: null }, by(buyer))
  await chain.pay({ [target]: '0.02' })
  await mine()
  await change(id, { reason: 'We sent the 0.02 BTC back.' })
  await chain.pay({ [target]: '0.03' })
  await mine()
  expect(await toFinance()).toEqual(['staff-order-unexpected', 'staff-order-unexpected'])
  expect((await toBuyer()).filter((kind) => kind === 'order-payment-seen-late')).toHaveLength(2)
})
