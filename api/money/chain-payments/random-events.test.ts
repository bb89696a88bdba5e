import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aChain } from '#tests/watched-sale.ts'
import { enforceDeadlines } from '../orders/deadline-worker.ts'

/* Whatever happens to an order, and in whichever order, no money at its addresses goes unnoticed. */

const started = await startApi(
  {
    CHAIN_BTC_URL: 'http://127.0.0.1:9',
    CHAIN_BTC_XPUB:
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    CHAIN_BTC_CONFIRMATIONS: '3',
    WITHDRAWAL_DAYS: '14',
    ORDER_TWO_PERSONS_FROM: 'off',
  },
  afterAll,
)
const { call, services } = started
const { db } = services
const by = ({ token }: TestMember) => ({ token })
const finance = await aSignedInMember(started, { manage_finance: 2 })
const btc = aChain(started)
await aBuyer(started)
btc.mine(5)
await btc.look()

/** Returns repeatable random numbers (mulberry32), so that a failed run can be repeated by its seed. */
function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const reason = 'As agreed.'
const refundAddress = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const amounts = ['0.02', '0.03', '0.05', '0.07']

async function scene(random: (below: number) => number) {
  const buyer = await aBuyer(started)
  const id = (await anOrderOf(started, buyer, 'BTC', '0.05'))._id
  const { target } = await db
    .selectFrom('chain_address')
    .select('target')
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()
  const one = <T>(of: readonly T[]): T => of[random(of.length)]!
  const detail = async () => (await call(api.getConsoleOrder, { params: { id } }, by(finance))).body
  const { reference } = (await detail()).order
  const paid: string[] = []
  const change = (body: object) => call(api.updateOrder, { body: { _id: id, reason, ...body } }, by(finance))
  const withdrawal = async () =>
    (await call(api.getConsoleWithdrawal, { params: { id } }, by(finance))).body.withdrawal
  const decide = async (act: 'acceptWithdrawal' | 'refuseWithdrawal') => {
    const found = await withdrawal()
    if (found)
      await call(
        api[act] as typeof api.refuseWithdrawal,
        { params: { id: found.id }, body: { reason } },
        by(finance),
      )
  }
  const events: Record<string, () => Promise<unknown>> = {
    pay: async () => paid.push(await btc.pay({ [target]: one(amounts) })),
    mine: async () => btc.mine(1 + random(4)),
    drop: async () => paid.length > 0 && btc.drop(one(paid)),
    record: () => change({ paidAmount: one(amounts), reason }),
    recordElsewhere: () => change({ paidAmount: one(amounts), txId: one(['ab', 'cd']).repeat(32) }),
    removeRecord: () => change({ paidAmount: null }),
    removeTransaction: () => change({ txId: null }),
    resolve: () => change({ reportedLate: false, disputed: false }),
    complete: () => change({ status: 'completed', paidAmount: one(amounts), reportedLate: false }),
    cancel: () => change({ status: 'cancelled', reportedLate: false }),
    cancelOwn: () => call(api.cancelOrder, { params: { id }, body: null }, by(buyer)),
    report: () =>
      call(api.reportPayment, { params: { id }, body: { txId: one([...paid, 'ef'.repeat(32)]) } }, by(buyer)),
    toEther: () => change({ payMethod: 'ETH', amount: '1.5', confirmsQuantity: true }),
    toBitcoin: () => change({ payMethod: 'BTC', amount: '0.05', confirmsQuantity: true }),
    withdraw: () => call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, by(buyer)),
    accept: () => decide('acceptWithdrawal'),
    refuse: () => decide('refuseWithdrawal'),
    refund: async () => {
      const found = await withdrawal()
      const paidOn = new Date().toISOString().slice(0, 10)
      const body = {
        amount: one(amounts),
        txId: `${random(10)}`.repeat(64),
        paidOn,
        reason,
        updatedAt: found?.updatedAt,
      }
      if (found) await call(api.recordRefund, { params: { id: found.id }, body }, by(finance))
    },
    pass: () => pass(one([10, 30, 80])),
  }
  const pass = async (hours: number) => {
    const shift = sql.raw(`- ${hours} * interval '1 hour'`)
    const own = sql`(select id from chain_address where order_id = ${id})`
    for (const change of [
      sql`update token_order set created_at = created_at ${shift}, pay_before = pay_before ${shift},
        reported_at = reported_at ${shift}, payment_dropped_at = payment_dropped_at ${shift} where id = ${id}`,
      sql`update order_step set at = at ${shift} where order_id = ${id}`,
      sql`update order_withdrawal set requested_at = requested_at ${shift}, until_at = until_at ${shift},
        refunded_at = refunded_at ${shift} where order_id = ${id}`,
      sql`update chain_address set created_at = created_at ${shift} where order_id = ${id}`,
      sql`update chain_transfer set first_seen_at = first_seen_at ${shift}, block_at = block_at ${shift},
        changed_at = changed_at ${shift}, gone_at = gone_at ${shift} where address_id in ${own}`,
      sql`update chain_payment set judged_at = judged_at ${shift} where order_id = ${id}`,
    ])
      await change.execute(db)
  }
  return {
    act: async (name: string) => events[name]!(),
    names: Object.keys(events),
    look: async () => {
      await sql`delete from throttle`.execute(db)
      await btc.look()
      await enforceDeadlines(services)
    },
    state: async () => {
      const { order, flags, paidAmount } = await detail()
      const mails = await started.mailsTo(finance.email)
      const found = await withdrawal()
      return {
        status: order.status,
        flags: flags.toSorted().join(' '),
        toFinance: mails.filter(
          ({ kind, text }) => kind.startsWith('staff-order') && text.includes(reference),
        ).length,
        toBuyer: await orderMailsTo(started, buyer),
        paidAmount,
        withdrawal: found?.state ?? null,
        refunded: found?.refund?.amount ?? null,
      }
    },
    /** What the chain shows at the order's own addresses: everything, and what was confirmed in time. */
    chain: async () =>
      (
        await sql<{ received: string; in_time: boolean; newest: string }>`
          select coalesce(sum(t.amount), 0)::text as received,
            coalesce(bool_or(t.height is not null and least(t.first_seen_at, t.block_at) <= o.pay_before), false) as in_time,
            count(*)::text as newest
          from token_order o join chain_address a on a.order_id = o.id join chain_transfer t on t.address_id = a.id
          where o.id = ${id} and t.gone_at is null`.execute(db)
      ).rows[0]!,
    wasUnpaid: async () =>
      (
        await db
          .selectFrom('order_step')
          .select('id')
          .where('order_id', '=', id)
          .where('kind', '=', 'unpaid')
          .execute()
      ).length,
  }
}

const seeds = Array.from({ length: 12 }, (_, n) => n + 1)

test.each(seeds)('money is noticed, whatever happens (seed %i)', { tags: ['nightly'] }, async (seed) => {
  const random = randomOf(seed)
  const of = await scene(random)
  const log: string[] = []
  let before = await of.state()
  let [seen, unpaid] = [await of.chain(), 0]
  for (let n = 0; n < 24; n += 1) {
    // Payments and blocks are frequent, and several things may happen between two looks at the chain.
    const next = () =>
      random(5) < 3 ? ['pay', 'pay', 'mine'][random(3)]! : of.names[random(of.names.length)]!
    const acts = random(3) === 0 ? [next(), next()] : [next()]
    for (const act of acts) await of.act(act)
    const name = acts.join(' and ')
    const acted = await of.state()
    await of.look()
    const after = await of.state()
    const now = await of.chain()
    log.push(
      `${name}: ${JSON.stringify({ ...after, toBuyer: after.toBuyer.slice(before.toBuyer.length), received: now.received })}`,
    )
    const told = log.join('\n')
    // A payment arrived for an order that was closed before.
    if (Number(now.newest) > Number(seen.newest) && acted.status !== 'pending') {
      expect(after.toFinance, `finance was told about the payment\n${told}`).toBeGreaterThan(acted.toFinance)
      if (acted.status === 'cancelled')
        expect(after.toBuyer.length, `the member was told about the payment\n${told}`).toBeGreaterThan(
          acted.toBuyer.length,
        )
    }
    const ended = await of.wasUnpaid()
    if (ended > unpaid) expect(now.in_time, `canceled although it was paid in time\n${told}`).toBe(false)
    if (after.status === 'cancelled' && Number(now.received) > 0)
      expect(
        after.toBuyer.some((kind) => /paid|seen|late|refund|withdrawal/.test(kind)),
        `the member knows about the money\n${told}`,
      ).toBe(true)
    // Looking again changes nothing.
    await of.look()
    const again = await of.state()
    expect(again, told).toEqual(after)
    before = again
    ;[seen, unpaid] = [now, ended]
  }
})
