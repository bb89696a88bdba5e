import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services, mailsTo } = started
const seller = await aSignedInMember(started, { manage_coins: 2 })
const officer = await aSignedInMember(started, { manage_finance: 2 })
const admin = await aSignedInMember(started, { is_write_access_admin: true })
const as = ({ token }: TestMember) => ({ token })

const [btc, eth] = saleSettings().payMethods as [
  ReturnType<typeof saleSettings>['payMethods'][number],
  ReturnType<typeof saleSettings>['payMethods'][number],
]
const atRate = (rate: string) => saleSettings({ payMethods: [{ ...btc, rate }, eth] })
const save = (body: object) =>
  call(api.updateSaleSettings, { body: body as ReturnType<typeof saleSettings> }, as(seller))
const setRate = async (rate: string) => {
  const { status } = await save({ ...atRate(rate), confirmedRates: { BTC: rate } })
  expect(status).toBe(200)
}
async function aBuyer(): Promise<TestMember> {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}
const quote = async (by: TestMember) =>
  (await call(api.createQuote, { body: { payMethod: 'BTC', amount: '0.01' } }, as(by))).body.quoteId
const order = async (by: TestMember, quoteId: string) =>
  (await call(api.createOrder, { body: { quoteId } }, as(by))).body._id
const flagged = async () =>
  (await call(api.listConsoleOrders, { query: { flag: 'price_withdrawn' } }, as(officer))).body.map(
    ({ id }) => id,
  )

const shiftHistory = (hours: number) =>
  sql`update setting_version set at = at - ${hours} * interval '1 hour'`.execute(services.db)
const offered = (...payMethods: object[]) => saleSettings({ payMethods: payMethods as never })

beforeEach(async () => {
  await sql`truncate setting_version, withdrawn_price, withdrawn_address cascade`.execute(services.db)
  await aSale(started)
})

test.each([
  ['12000000', '+9900%'],
  ['144000.1', '+20%'],
  ['95999', '-20%'],
  ['1200', '-99%'],
])('a rate of %s instead of 120000 (%s) has to be given twice', async (rate, percent) => {
  const wrong = [
    await save(atRate(rate)),
    await save({ ...atRate(rate), confirmedRates: { BTC: '120000' } }),
    await save({ ...atRate(rate), confirmedRates: { ETH: rate } }),
  ]
  for (const { problem } of wrong) {
    expect(problem.errors).toMatchObject([{ path: 'payMethods.0.rate', code: 'confirm_rate' }])
    expect(problem.errors![0]!.message).toContain(percent)
  }
  expect((await call(api.getSaleSettings, {}, as(seller))).body.payMethods[0]!.rate).toBe('120000')
  expect(
    (await save({ ...atRate(rate), confirmedRates: { BTC: `${rate}${rate.includes('.') ? '0' : '.0'}` } }))
      .status,
  ).toBe(200)
})

test.each(['144000', '96000', '120000'])('saves a rate of %s instead of 120000 unchanged', async (rate) => {
  expect((await save(atRate(rate))).status).toBe(200)
})

test.each([
  ['another name for the same coin', [{ ...btc, code: 'BTC2', rate: '12000000' }, eth], 0],
  ['another coin behind the same name', [{ ...btc, currency: 'USDT' }, eth], 0],
])('the price does not change unconfirmed by %s', async (_, payMethods, index) => {
  const { problem } = await save(saleSettings({ payMethods }))
  expect(problem.errors).toMatchObject([{ path: `payMethods.${index}.rate`, code: 'confirm_rate' }])
})

test('restoring an older version needs confirmation too', async () => {
  await setRate('12000000')
  await setRate('120000')
  const { body } = await call(api.listSettingVersions, {}, as(seller))
  const old = body.find(({ changes }) => changes.some(({ to }) => to === '12000000'))!
  const { lastUpdated } = (await call(api.getSaleSettings, {}, as(seller))).body
  const restore = (more: object) =>
    call(api.restoreSettingVersion, { params: { id: old.id }, body: { lastUpdated, ...more } }, as(seller))
  expect((await restore({})).problem.errors).toMatchObject([{ code: 'confirm_rate' }])
  expect((await restore({ confirmedRates: { BTC: '12000000' } })).status).toBe(200)
})

test('emails a new rate to administrators and colleagues, and shows it to all staff', async () => {
  await setRate('130000')
  for (const { email } of [admin, seller]) {
    const mail = (await mailsTo(email)).at(-1)!
    expect(mail.kind).toBe('sale-rate-changed')
    expect(mail.text).toContain('BTC: 120000 → 130000 (+8.33%)')
  }
  expect((await call(api.listAddressChanges, {}, as(officer))).body).toMatchObject([
    { code: 'BTC', field: 'rate', from: '120000', to: '130000', by: { id: seller.id } },
  ])
})

test('flags orders at a price reverted within a day, including those with a valid quote', async () => {
  const buyers = [await aBuyer(), await aBuyer(), await aBuyer()]
  const before = await order(buyers[0]!, await quote(buyers[0]!))
  await setRate('12000000')
  const meanwhile = await order(buyers[1]!, await quote(buyers[1]!))
  const held = await quote(buyers[2]!)
  expect(await flagged()).toEqual([])
  await setRate('120000')
  expect(await flagged()).toEqual([meanwhile])
  const late = await order(buyers[2]!, held)
  expect((await flagged()).toSorted()).toEqual([meanwhile, late].toSorted())
  expect(await flagged()).not.toContain(before)
  const { body } = await call(api.getConsoleOrder, { params: { id: meanwhile } }, as(officer))
  expect(body.flags).toContain('price_withdrawn')
  const waits = (await call(api.listNeedsAttention, {}, as(officer))).body
  expect(waits.find(({ what }) => what === 'orders_price_withdrawn')?.count).toBe(2)
})

test('flags orders at a receiving address that was set back within a day', async () => {
  const at = (receivingAddress: string) => save(offered({ ...btc, receivingAddress }, eth))
  const placed = async () => {
    const buyer = await aBuyer()
    return order(buyer, await quote(buyer))
  }
  const atReverted = async () =>
    (await call(api.listConsoleOrders, { query: { flag: 'address_withdrawn' } }, as(officer))).body.map(
      ({ id }) => id,
    )
  const before = await placed()
  expect((await at('1BoatSLRHtKNngkdXEeobR76b53LETtpyT')).status).toBe(200)
  const meanwhile = await placed()
  expect(await atReverted()).toEqual([])
  expect((await at(btc.receivingAddress)).status).toBe(200)
  await placed()
  expect(await atReverted()).toEqual([meanwhile])
  const { body } = await call(api.getConsoleOrder, { params: { id: meanwhile } }, as(officer))
  expect(body.flags).toContain('address_withdrawn')
  expect((await call(api.getConsoleOrder, { params: { id: before } }, as(officer))).body.flags).toEqual([])
  const waits = (await call(api.listNeedsAttention, {}, as(officer))).body
  expect(waits.find(({ what }) => what === 'orders_address_withdrawn')?.count).toBe(1)
})

const bank = (receivingAddress: string, code = 'SEPA') => ({
  ...btc,
  code,
  chain: 'other' as const,
  currency: 'EUR',
  rate: '2',
  receivingAddress,
})
const account = 'DE89 3704 0044 0532 0130 00'
const other = bank('GB33 BUKB 2020 1555 5555 55')
const joined = account.replaceAll(' ', '')
const anOrderByBank = async () => {
  const buyer = await aBuyer()
  const body = { payMethod: 'SEPA', amount: '1' }
  return order(buyer, (await call(api.createQuote, { body }, as(buyer))).body.quoteId)
}
const flagsOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, as(officer))).body.flags

test.each([
  ['without spaces', [[bank(joined)]]],
  ['in lower case', [[bank(account.toLowerCase())]]],
  ['in full-width characters', [[bank(account.replaceAll('0', '０'))]]],
  ['with another code', [[bank(account, 'SEPA2')]]],
  ['after its removal', [[], [bank(account)]]],
  ['after its removal, without spaces', [[], [bank(joined)]]],
  ['after its removal, with another code', [[], [bank(joined, 'SEPA2')]]],
])('flags orders at a temporary account if the former one is back %s', async (_, steps) => {
  await save(offered(btc, eth, bank(account)))
  await save(offered(btc, eth, other))
  const meanwhile = await anOrderByBank()
  for (const methods of steps) {
    expect(await flagsOf(meanwhile)).toEqual([])
    expect((await save(offered(btc, eth, ...methods))).status).toBe(200)
  }
  expect(await flagsOf(meanwhile)).toContain('address_withdrawn')
})

test('flags orders at an account that replaced a removed payment method under another code', async () => {
  await save(offered(btc, eth, bank(account, 'SEPA2')))
  await save(offered(btc, eth, bank(account, 'SEPA2'), other))
  const meanwhile = await anOrderByBank()
  await save(offered(btc, eth, other))
  await save(offered(btc, eth, bank(account, 'SEPA2')))
  expect(await flagsOf(meanwhile)).toContain('address_withdrawn')
})

test.each([
  ['the new account stays', [btc, eth, other]],
  ['the new account is only spelled differently', [btc, eth, bank('GB33BUKB20201555555555')]],
])('flags no order at a new account if the address of another coin is set back: %s', async (_, methods) => {
  await save(offered(btc, eth, bank(account)))
  await save(offered(btc, eth, other))
  const meanwhile = await anOrderByBank()
  await save(offered({ ...btc, receivingAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }, eth, other))
  expect((await save(offered(...methods))).status).toBe(200)
  expect(await flagsOf(meanwhile)).toEqual([])
})

test('flags no orders at an address that was used for longer than a day', async () => {
  const moved = { ...btc, receivingAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }
  await save(offered(moved, eth))
  const buyer = await aBuyer()
  const id = await order(buyer, await quote(buyer))
  await shiftHistory(25)
  await save(offered(btc, eth))
  const { body } = await call(api.getConsoleOrder, { params: { id } }, as(officer))
  expect(body.flags).toEqual([])
})

test('a wrong price corrected in several steps, or to a third one, counts as withdrawn too', async () => {
  const buyer = await aBuyer()
  await setRate('12000000')
  const first = await order(buyer, await quote(buyer))
  await setRate('11900000')
  expect(await flagged()).not.toContain(first)
  await setRate('121000')
  expect(await flagged()).toContain(first)
})

test('a price that follows the market, or held for more than a day, does not count as withdrawn', async () => {
  const buyer = await aBuyer()
  await setRate('121000')
  const small = await order(buyer, await quote(buyer))
  await setRate('122000')
  await setRate('12000000')
  await sql`update setting_version set at = at - interval '25 hours'`.execute(services.db)
  const old = await order(buyer, await quote(buyer))
  await setRate('120000')
  const found = await flagged()
  expect(found).not.toContain(small)
  expect(found).not.toContain(old)
})

/** Places an order for 100 times the tokens, in a sale whose rate had been different for days. */
async function anOrderAtAMistake(): Promise<string> {
  const buyer = await aBuyer()
  await setRate('120001')
  await shiftHistory(48)
  await setRate('12000000')
  return order(buyer, await quote(buyer))
}
const wrong = { ...btc, rate: '12000000' }
const right = { ...btc, rate: '120000' }
const saving = async (body: ReturnType<typeof saleSettings>) => {
  const confirmedRates = Object.fromEntries(body.payMethods.map(({ code, rate }) => [code, rate]))
  expect((await save({ ...body, confirmedRates })).status).toBe(200)
}
const stops: [string, () => ReturnType<typeof saleSettings>][] = [
  ['closing the sale', () => saleSettings({ payMethods: [wrong, eth], isOpen: false })],
  ['closing its method', () => offered({ ...wrong, isOpen: false }, eth)],
  ['removing its method', () => offered(eth)],
  [
    'the end of the sale',
    () => saleSettings({ payMethods: [wrong, eth], closesAt: new Date().toISOString() }),
  ],
]

test.each(stops)('a wrong price stopped by %s is flagged at once, and stays so', async (_, stopped) => {
  const id = await anOrderAtAMistake()
  await saving(stopped())
  expect(await flagged()).toContain(id)
  await shiftHistory(48)
  expect(await flagged()).toContain(id)
  await saving(offered(right, eth))
  expect(await flagged()).toContain(id)
  // Once corrected, the price stays marked as a mistake, even if the market reaches it one day.
  await shiftHistory(48)
  await saving(offered(wrong, eth))
  expect(await flagged()).toContain(id)
})

test.each(stops)('a price offered again after %s was no mistake', async (_, stopped) => {
  const id = await anOrderAtAMistake()
  await saving(stopped())
  await saving({ ...offered({ ...wrong, rate: '12100000' }, eth), closesAt: null })
  expect(await flagged()).not.toContain(id)
})

test('flags a wrong price withdrawn under another code of its coin', async () => {
  const id = await anOrderAtAMistake()
  await saving(offered({ ...right, code: 'XBT' }, eth))
  expect(await flagged()).toContain(id)
})

test.each(stops.slice(0, 3))('a price near the previous day’s is not withdrawn by %s', async (_, stopped) => {
  const buyer = await aBuyer()
  await setRate('120001')
  await shiftHistory(48)
  await setRate('121000')
  const id = await order(buyer, await quote(buyer))
  const body = stopped()
  const payMethods = body.payMethods.map((method) => ({
    ...method,
    ...(method.code === 'BTC' && { rate: '121000' }),
  }))
  await saving({ ...body, payMethods })
  expect(await flagged()).not.toContain(id)
})

test('closing the method does not withdraw the price of a new coin', async () => {
  const buyer = await aBuyer()
  await saving(offered(eth))
  await sql`truncate setting_version cascade`.execute(services.db)
  const coin = {
    ...btc,
    code: 'NEW',
    chain: 'other',
    currency: 'NEW',
    receivingAddress: 'an address',
  } as const
  await saving(offered(coin, eth))
  const { body } = await call(api.createQuote, { body: { payMethod: 'NEW', amount: '0.01' } }, as(buyer))
  const id = await order(buyer, body.quoteId)
  await saving(offered({ ...coin, isOpen: false }, eth))
  expect(await flagged()).not.toContain(id)
})

test('with four-eyes approval a new rate awaits a second person, who sees the change', async () => {
  Object.assign(services.config, { isSaleFourEyesRequired: true })
  try {
    const { body } = await save({ ...atRate('12000000'), confirmedRates: { BTC: '12000000' } })
    expect(body.proposal).toMatchObject({ by: { id: seller.id } })
    expect(body.payMethods[0]!.rate).toBe('120000')
    expect((await mailsTo(admin.email)).at(-1)).toMatchObject({ kind: 'sale-rate-proposed' })
    expect((await mailsTo(admin.email)).at(-1)!.text).toContain('+9900%')
    const second = await aSignedInMember(started, { manage_coins: 2 })
    const params = { id: body.proposal!.id }
    const confirmed = await call(api.confirmSaleProposal, { params, body: {} }, as(second))
    expect(confirmed.body.payMethods[0]!.rate).toBe('12000000')
  } finally {
    Object.assign(services.config, { isSaleFourEyesRequired: false })
  }
})

const rateProblems = async (body: object) => (await save(body)).problem?.errors ?? []

test('compares a method that was removed and returns with its last rate, however old', async () => {
  expect((await save(offered(eth))).status).toBe(200)
  expect(await rateProblems(offered({ ...btc, rate: '1200' }, eth))).toMatchObject([
    { path: 'payMethods.0.rate', code: 'confirm_rate' },
  ])
  await shiftHistory(24 * 400)
  expect(await rateProblems(offered({ ...btc, rate: '1200' }, eth))).toMatchObject([{ code: 'confirm_rate' }])
  expect((await save(offered({ ...btc, rate: '130000' }, eth))).status).toBe(200)
})

test('compares a code that returns with its old rate with its coin’s last rate too', async () => {
  const former = { ...btc, code: 'BTC2' }
  expect((await save(offered(btc, former, eth))).status).toBe(200)
  expect((await save(offered(btc, eth))).status).toBe(200)
  await shiftHistory(24 * 400)
  await setRate('1200000')
  await shiftHistory(48)
  expect((await save(offered(eth))).status).toBe(200)
  expect(await rateProblems(offered(former, eth))).toMatchObject([
    { path: 'payMethods.0.rate', code: 'confirm_rate' },
  ])
  expect((await save({ ...offered(former, eth), confirmedRates: { BTC2: '120000' } })).status).toBe(200)
})

test.each([
  ['another code', { code: 'BTC2' }],
  ['other letters', { code: 'BTC2', currency: 'btc' }],
  ['another currency on the same chain', { code: 'XBT', currency: 'XBT' }],
])('a coin under %s is compared with its rate, also after the other was removed', async (_, fields) => {
  const same = { ...btc, ...fields, rate: '1200000' }
  expect(await rateProblems(offered(btc, eth, same))).toMatchObject([{ code: 'confirm_rate' }])
  expect((await save(offered(eth))).status).toBe(200)
  expect(await rateProblems(offered(eth, same))).toMatchObject([{ code: 'confirm_rate' }])
})

test('compares steps within a day with the rate of a day ago', async () => {
  expect((await save(atRate('140000'))).status).toBe(200)
  const [problem] = await rateProblems(atRate('160000'))
  expect(problem).toMatchObject({ code: 'confirm_rate' })
  expect(problem!.message).toContain('+33.33%')
  expect((await save({ ...atRate('160000'), confirmedRates: { BTC: '160000' } })).status).toBe(200)
  expect((await save({ ...atRate('160000'), quoteMinutes: 20 })).status).toBe(200)
  await shiftHistory(25)
  expect((await save(atRate('180000'))).status).toBe(200)
})

test('compares steps through new codes of one coin with the coin of a day ago', async () => {
  const second = { ...btc, code: 'BTC2', rate: '144000' }
  expect((await save(offered(btc, second, eth))).status).toBe(200)
  expect(await rateProblems(offered(btc, { ...second, rate: '172000' }, eth))).toMatchObject([
    { path: 'payMethods.1.rate', code: 'confirm_rate' },
  ])
})

test('a new coin needs no confirmation, and its rate is emailed and shown; later steps are compared', async () => {
  const coin = { ...eth, code: 'USDT', currency: 'USDT', rate: '5' }
  expect((await save(offered(btc, eth, coin))).status).toBe(200)
  const mails = await mailsTo(admin.email)
  expect(
    mails.find(({ kind, text }) => kind === 'sale-rate-changed' && text.includes('USDT: – → 5')),
  ).toBeDefined()
  expect((await call(api.listAddressChanges, {}, as(officer))).body).toContainEqual(
    expect.objectContaining({ code: 'USDT', field: 'rate', from: '', to: '5' }),
  )
  expect((await save(offered(btc, eth, { ...coin, rate: '6' }))).status).toBe(200)
  expect(await rateProblems(offered(btc, eth, { ...coin, rate: '7' }))).toMatchObject([
    { code: 'confirm_rate' },
  ])
})

test('the first setup of a sale needs no typed confirmation', async () => {
  await sql`delete from pay_method`.execute(services.db)
  await sql`delete from sale`.execute(services.db)
  expect((await save(atRate('12000000'))).status).toBe(200)
})

test.each([
  ['code', 'ВТС'],
  ['code', 'BTC\u200b2'],
  ['currency', 'BТC'],
  ['currency', 'BTC\u00ad'],
])('a new %s of %j is refused', async (field, value) => {
  const { problem } = await save(offered(btc, eth, { ...btc, code: 'NEW', [field]: value }))
  expect(problem.errors).toContainEqual(
    expect.objectContaining({ path: `payMethods.2.${field}`, code: 'plain_letters' }),
  )
})

test('a name stored before the rule can be saved again', async () => {
  const bank = { ...btc, chain: 'other', code: '银行转账', currency: '美元' }
  await aSale(started, { payMethods: [bank] as never })
  expect((await save({ ...offered(bank), quoteMinutes: 20 })).status).toBe(200)
})
