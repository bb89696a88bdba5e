import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aChain } from '#tests/watched-sale.ts'
import { enforceDeadlines } from '../orders/deadline-worker.ts'

const started = await startApi(
  {
    CHAIN_BTC_URL: 'http://127.0.0.1:9',
    CHAIN_BTC_XPUB:
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    CHAIN_BTC_CONFIRMATIONS: '3',
    CHAIN_ETH_URL: 'http://127.0.0.1:9',
    CHAIN_ETH_XPUB:
      'xpub6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx4df189oLKnC5fSwqPfgyP3hooxujYzAu3fDVmz',
    CHAIN_ETH_CONFIRMATIONS: '3',
    ORDER_TWO_PERSONS_FROM: 'off',
  },
  afterAll,
)
const { call, services } = started
const by = ({ token }: TestMember) => ({ token })
const finance = await aSignedInMember(started, { manage_finance: 2 })
await aBuyer(started)
const [btc, eth] = [aChain(started, 'BTC'), aChain(started, 'ETH')]
for (const chain of [btc, eth]) {
  chain.mine(5)
  await chain.look()
}

async function mine(chain = btc): Promise<void> {
  chain.mine(4)
  await chain.look()
  await chain.look()
}

async function scene(method = 'BTC', amount = '0.05') {
  const buyer = await aBuyer(started)
  const id = (await anOrderOf(started, buyer, method, amount))._id
  const detail = async () => (await call(api.getConsoleOrder, { params: { id } }, by(finance))).body
  const { reference } = (await detail()).order
  return {
    buyer,
    id,
    change: async (body: object) => {
      const changed = await call(
        api.updateOrder,
        { body: { _id: id, reason: 'As agreed.', ...body } },
        by(finance),
      )
      expect([changed.status, changed.problem?.errors]).toEqual([200, undefined])
    },
    cancel: () => call(api.cancelOrder, { params: { id }, body: null }, by(buyer)),
    targetOf: async (coin: string) =>
      (
        await services.db
          .selectFrom('chain_address')
          .select('target')
          .where('order_id', '=', id)
          .where('coin', '=', coin)
          .executeTakeFirstOrThrow()
      ).target,
    /** Simulates that time passed for the order, and lets the deadline worker run. */
    pass: async (hours: number) => {
      const shift = sql.raw(`- ${hours} * interval '1 hour'`)
      const own = sql`(select id from chain_address where order_id = ${id})`
      for (const change of [
        sql`update token_order set created_at = created_at ${shift}, pay_before = pay_before ${shift},
          reported_at = reported_at ${shift} where id = ${id}`,
        sql`update order_step set at = at ${shift} where order_id = ${id}`,
        sql`update chain_address set created_at = created_at ${shift} where order_id = ${id}`,
        sql`update chain_transfer set first_seen_at = first_seen_at ${shift}, block_at = block_at ${shift},
          changed_at = changed_at ${shift} where address_id in ${own}`,
        sql`update chain_payment set judged_at = judged_at ${shift} where order_id = ${id}`,
      ])
        await change.execute(services.db)
      for (const chain of [btc, eth]) await chain.look()
      await enforceDeadlines(services)
    },
    status: async () => (await detail()).order.status,
    flags: async () => (await detail()).flags,
    /** How often finance and the member were told about a late or unexpected payment. */
    told: async () => {
      const toFinance = (await started.mailsTo(finance.email)).filter(
        ({ kind, text }) => kind.startsWith('staff-order') && text.includes(reference),
      )
      const toBuyer = (await orderMailsTo(started, buyer)).filter(
        (kind) => kind === 'order-payment-seen-late',
      )
      return [toFinance.length, toBuyer.length]
    },
    toBuyer: () => orderMailsTo(started, buyer),
  }
}

test('announces each further payment of an order that was paid before its member canceled it', async () => {
  const { id, cancel, told } = await scene()
  await btc.pay({ [id]: '0.05' })
  btc.mine(4)
  expect((await cancel()).status).toBe(200)
  await btc.look()
  const [finance, member] = await told()
  for (const n of [1, 2]) {
    await btc.pay({ [id]: '0.02' })
    await mine()
    expect(await told()).toEqual([finance! + n, member! + n])
  }
})

test('announces each late payment of a pending order', async () => {
  const { id, change, pass, told, flags } = await scene()
  await btc.pay({ [id]: '0.01' })
  await mine()
  await pass(96)
  for (const n of [1, 2, 3, 4]) {
    await btc.pay({ [id]: '0.01' })
    await mine()
    expect((await told())[0]).toBe(n)
  }
  expect(await flags()).toContain('reported_late')
  await change({ reportedLate: false, paidAmount: '0.05' })
  expect(await flags()).not.toContain('payment_unexpected')
  await btc.pay({ [id]: '0.02' })
  await mine()
  expect((await told())[0]).toBe(5)
  expect(await flags()).toContain('payment_unexpected')
})

test('announces a payment that arrives in the scan that confirms the payment of a canceled order', async () => {
  const { id, change, told } = await scene()
  await btc.pay({ [id]: '0.05' })
  await btc.look()
  await change({ status: 'cancelled' })
  const [finance, member] = await told()
  await btc.pay({ [id]: '0.05' })
  await mine()
  // Both are told about both payments.
  expect(await told()).toEqual([finance! + 2, member! + 2])
  await mine()
  expect(await told()).toEqual([finance! + 2, member! + 2])
})

const moved: [string, (of: Awaited<ReturnType<typeof scene>>) => Promise<void>][] = [
  [
    'a late payment at the new one',
    async ({ pass, targetOf }) => {
      await pass(96)
      await btc.pay({ [await targetOf('BTC')]: '0.05' })
      await mine()
    },
  ],
  [
    'a payment at the new one that stays unconfirmed',
    async ({ pass, targetOf }) => {
      await btc.pay({ [await targetOf('BTC')]: '0.05' })
      await btc.look()
      await pass(104)
      await btc.look()
    },
  ],
  [
    'a reported transaction that never appears',
    async ({ id, buyer, pass }) => {
      await call(api.reportPayment, { params: { id }, body: { txId: 'ab'.repeat(32) } }, by(buyer))
      await pass(60)
      await btc.look()
    },
  ],
]

test.each(moved)(
  'keeps an order that was paid in time at its former address, despite %s',
  async (_, then) => {
    const of = await scene('ETH', '1')
    await of.change({ payMethod: 'BTC', amount: '0.05', confirmsQuantity: true })
    await eth.pay({ [of.id]: '1' })
    await mine(eth)
    await then(of)
    expect(await of.status()).toBe('pending')
  },
)

test('keeps an order whose payment to a former address is unconfirmed at the deadline, for 72 hours', async () => {
  const of = await scene('BTC', '0.05')
  await of.change({ payMethod: 'ETH', amount: '1.5', confirmsQuantity: true })
  const txId = await btc.pay({ [await of.targetOf('BTC')]: '0.05' })
  await btc.look()
  await of.pass(60)
  expect(await of.status()).toBe('pending')
  await of.pass(50)
  expect(await of.status()).toBe('cancelled')
  expect((await of.toBuyer()).at(-1)).toBe('order-paid-cancelled')
  expect(await of.flags()).toContain('payment_unexpected')
  btc.drop(txId)
})
