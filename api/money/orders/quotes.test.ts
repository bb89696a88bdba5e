import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ticker } from '#content/brand.json'
import { api } from '#contract/api.ts'
import { multiplyDown, parseDecimal, tokenPlaces, writeDecimal } from '#contract/platform/decimal.ts'
import {
  anApplication,
  aSale,
  aSignedInMember,
  proveIdentity,
  saleSettings,
  type TestMember,
} from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { Refused } from '../../platform/refused.ts'
import { quoteAmount } from '../sale/sale.rules.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
beforeEach(() => aSale(started))

async function aBuyer(): Promise<TestMember> {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}
const buyer = await aBuyer()

const ask = (by: TestMember, payMethod = 'BTC', amount = '0.5') =>
  call(api.createQuote, { body: { payMethod, amount } }, { token: by.token })
const place = (by: TestMember, body: object, headers: Record<string, string> = {}) =>
  call(api.createOrder, { body }, { token: by.token, headers })
const expire = (id: string) =>
  services.db
    .updateTable('order_quote')
    .set({ expires_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
const ordersOf = async (member: TestMember) =>
  (await call(api.findOrders, { body: {}, query: { limit: 100 } }, { token: member.token })).body

test('a quote contains amount, rate, quantity, and expiry', async () => {
  const before = Date.now()
  const { status, body } = await ask(buyer, 'ETH', '1.23456789')
  expect(status).toBe(201)
  expect(body).toEqual({
    quoteId: expect.any(String),
    payMethod: 'ETH',
    amount: '1.23456789',
    currency: 'ETH',
    rate: '4000.5',
    fabQty: '4938.88884394',
    roundName: null,
    baseRate: '4000.5',
    baseQty: '4938.88884394',
    bonusPercent: '0',
    deliveries: [{ dueAfter: { count: 0, unit: 'days' }, amount: '4938.88884394' }],
    expiresAt: expect.any(String),
  })
  const wait = Date.parse(body.expiresAt) - before
  expect(wait).toBeGreaterThan(14 * 60_000)
  expect(wait).toBeLessThan(16 * 60_000)
})

test.each([
  ['BTC', '0.0009', 'amount', 'too_little'],
  ['BTC', '0', 'amount', 'too_little'],
  ['BTC', '5.00000001', 'amount', 'too_much'],
  ['BTC', '0.123456789', 'amount', 'too_precise'],
  ['BTC', '-1', 'amount', 'number'],
  ['BTC', '1e1', 'amount', 'number'],
  ['DOGE', '1', 'payMethod', 'one_of'],
])('%s %s is not quoted', async (payMethod, amount, path, code) => {
  const { status, problem } = await ask(buyer, payMethod, amount)
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ path, code }])
})

test('describes the limits in words, exactly', async () => {
  expect((await ask(buyer, 'BTC', '0.0001')).problem.errors![0]!.message).toContain('0.001')
  expect((await ask(buyer, 'BTC', '0.000000001')).problem.errors![0]!.message).toContain('8')
})

test('quotes nothing without an approved identity, or with the sale or the method closed', async () => {
  const stranger = await aSignedInMember(started)
  expect((await ask(stranger)).problem.code).toBe('identity_needed')
  await anApplication(started, stranger)
  expect((await ask(stranger)).problem.code).toBe('identity_needed')
  const [btc, eth] = saleSettings().payMethods
  await aSale(started, { payMethods: [{ ...btc!, isOpen: false }, eth!] })
  expect((await ask(buyer)).problem.errors).toMatchObject([{ path: 'payMethod', code: 'one_of' }])
  await aSale(started, { isOpen: false })
  expect((await ask(buyer)).problem.code).toBe('sale_closed')
  expect((await place(buyer, { payMethod: 'ETH', amount: '1' })).problem.code).toBe('sale_closed')
})

test('an order takes price and quantity from its quote; its owner is emailed in their language', async () => {
  const reader = await aBuyer()
  await services.db.updateTable('member').set({ language: 'cn' }).where('id', '=', reader.id).execute()
  const quote = (await ask(reader)).body
  const { status, body } = await place(reader, { quoteId: quote.quoteId, email: reader.email, fabQty: 9 })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    memberId: reader.id,
    payMethod: 'BTC',
    amount: 0.5,
    exactAmount: '0.5',
    fabQty: 60_000,
    exactFabQty: '60000',
    rate: '120000',
    status: 'pending',
    txId: '',
    reference: expect.stringMatching(new RegExp(`^${ticker}-[0-9A-F]{5}-[0-9A-F]{5}$`)),
  })
  const mail = (await mailsTo(reader.email)).at(-1)!
  expect(mail.kind).toBe('order-placed')
  expect(mail.subject).toContain(body.reference)
  expect(mail.subject).toContain('订单')
  expect(mail.text).toContain('0.5 BTC')
  expect(mail.text).toContain(`/account/account-details?order=${body._id}`)
  expect(mail.text).not.toContain(saleSettings().payMethods[0]!.receivingAddress)
})

test('a quote works for one order, for its owner only, until it expires', async () => {
  const other = await aBuyer()
  const used = (await ask(buyer)).body.quoteId
  expect((await place(other, { quoteId: used })).problem).toMatchObject({
    status: 404,
    code: 'quote_unknown',
  })
  expect((await place(finance, { quoteId: used })).problem.code).toBe('forbidden')
  expect((await place(buyer, { quoteId: 'nothing' })).problem.code).toBe('quote_unknown')
  expect((await place(buyer, { quoteId: used })).status).toBe(201)
  expect((await place(buyer, { quoteId: used })).problem).toMatchObject({ status: 409, code: 'quote_used' })
  const late = (await ask(buyer)).body.quoteId
  await expire(late)
  expect((await place(buyer, { quoteId: late })).problem).toMatchObject({
    status: 409,
    code: 'quote_expired',
  })
  expect(await ordersOf(other)).toEqual([])
})

test('amount and method may be repeated but not changed; a rejection leaves the quote usable', async () => {
  const { quoteId } = (await ask(buyer)).body
  const refused = async (fields: object) => (await place(buyer, { quoteId, ...fields })).problem.errors
  expect(await refused({ amount: '0.50000001' })).toMatchObject([{ path: 'amount', code: 'mismatch' }])
  expect(await refused({ amount: null })).toMatchObject([{ path: 'amount', code: 'mismatch' }])
  expect(await refused({ payMethod: 'ETH' })).toMatchObject([{ path: 'payMethod', code: 'mismatch' }])
  expect((await place(buyer, { quoteId, amount: 0.5, payMethod: 'BTC' })).status).toBe(201)
})

test('a sale or method that closes meanwhile accepts no order, even with a quote', async () => {
  const { quoteId } = (await ask(buyer)).body
  await aSale(started, { payMethods: [{ ...saleSettings().payMethods[0]!, isOpen: false }] })
  expect((await place(buyer, { quoteId })).problem.code).toBe('sale_closed')
  await aSale(started, { isOpen: false })
  expect((await place(buyer, { quoteId })).problem.code).toBe('sale_closed')
  await aSale(started)
  expect((await place(buyer, { quoteId })).status).toBe(201)
})

test('of twenty concurrent orders with one quote, one is placed', async () => {
  const crowd = await aBuyer()
  const { quoteId } = (await ask(crowd)).body
  const answers = await Promise.all(Array.from({ length: 20 }, () => place(crowd, { quoteId })))
  const outcomes = answers.map(({ status, problem }) => (status === 201 ? 'placed' : problem.code)).toSorted()
  expect(outcomes).toEqual(['placed', ...Array<string>(19).fill('quote_used')])
  expect(await ordersOf(crowd)).toHaveLength(1)
})

function outcomeOf(quoted: () => string): string {
  try {
    return quoted()
  } catch (error) {
    if (error instanceof Refused) return 'refused'
    throw error
  }
}

const anyMethod = fc.record({
  rate: fc.bigInt({ min: 1n, max: 10n ** 26n }).map(writeDecimal),
  decimals: fc.integer({ min: 0, max: 18 }),
})

test('the quantity is the exact product rounded down, within the limits, for any rate and amount', () => {
  fc.assert(
    fc.property(anyMethod, fc.bigInt({ min: 0n, max: 10n ** 30n }), ({ rate, decimals }, units) => {
      const amount = writeDecimal(units * 10n ** BigInt(18 - decimals))
      const method = {
        rate,
        decimals,
        min_amount: '0.5',
        max_amount: '1000000',
      } as Parameters<typeof quoteAmount>[0]
      const exact = multiplyDown(parseDecimal(amount), parseDecimal(rate), tokenPlaces)
      const isRefused =
        parseDecimal(amount) < parseDecimal('0.5') ||
        parseDecimal(amount) > parseDecimal('1000000') ||
        exact === 0n ||
        exact >= 10n ** 38n
      expect(outcomeOf(() => quoteAmount(method, amount).fabQty)).toBe(
        isRefused ? 'refused' : writeDecimal(exact),
      )
    }),
  )
})

test('a quote in one coin cannot be paid at the address of another', async () => {
  const { quoteId } = (await ask(buyer, 'ETH', '0.1')).body
  const [btc, eth] = saleSettings().payMethods as [
    object,
    ReturnType<typeof saleSettings>['payMethods'][number],
  ]
  await aSale(started, { payMethods: [btc, { ...eth, currency: 'USDT', rate: '1' }] as never })
  expect((await place(buyer, { quoteId })).problem.code).toBe('quote_expired')
  await aSale(started)
  expect((await place(buyer, { quoteId })).body).toMatchObject({ currency: 'ETH', fabQty: 400.05 })
})
