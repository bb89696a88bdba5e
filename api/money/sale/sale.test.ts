import { seedDemo } from '#demo/seed-demo.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, saleSettings } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const keeper = await aSignedInMember(started, { manage_coins: 2 })
const member = await aSignedInMember(started)

type Settings = ReturnType<typeof saleSettings>
const write = (body: Settings & { lastUpdated?: string | null; confirmedRates?: Record<string, string> }) =>
  call(api.updateSaleSettings, { body }, { token: keeper.token })
const read = async () => (await call(api.getSaleSettings, {}, { token: keeper.token })).body
const offered = async () => (await call(api.getSale, {}, { token: member.token })).body
const [btc, eth] = saleSettings().payMethods as [
  Settings['payMethods'][number],
  Settings['payMethods'][number],
]

const unset = {
  opensAt: null,
  closesAt: null,
  cap: null,
  memberCap: null,
  sold: null,
  proposal: null,
  takesTwo: false,
  rateChangePercent: 20,
  rateReferences: [],
  rounds: [] as object[],
}
const closed = {
  quoteMinutes: 15,
  payHours: 24,
  payMethods: [],
  opensAt: null,
  closesAt: null,
  displayRates: [],
  round: null,
  next: null,
  isAdmitted: true,
  why: null,
}

test('a sale that was never set up is closed and offers nothing', async () => {
  expect(await read()).toEqual({
    ...unset,
    isOpen: false,
    quoteMinutes: 15,
    payMethods: [],
    lastUpdated: null,
  })
  expect(await offered()).toEqual({ ...closed, isOpen: false })
})

test('returns settings as saved; members see no address and no closed method', async () => {
  const written = await write(saleSettings({ payMethods: [btc, { ...eth, isOpen: false }] }))
  expect(written.status).toBe(200)
  expect(await read()).toEqual(written.body)
  const [round] = written.body.rounds
  expect(written.body).toEqual({
    ...unset,
    rateReferences: [
      { code: 'BTC', rate: '120000', isDayOld: false },
      { code: 'ETH', rate: '4000.5', isDayOld: false },
      { code: `${round!.id}/BTC`, rate: '120000', period: { opensAt: null, closesAt: null } },
      { code: `${round!.id}/ETH`, rate: '4000.5', period: { opensAt: null, closesAt: null } },
    ].map((each) => expect.objectContaining(each)),
    rounds: [expect.objectContaining({ name: { en: 'Sale', cn: '首轮' }, prices: [] })],
    ...saleSettings({ payMethods: [btc, { ...eth, isOpen: false }] }),
    lastUpdated: expect.any(String),
  })
  const { receivingAddress: _address, isOpen: _isOpen, ...shown } = btc
  expect(await offered()).toEqual({ ...closed, isOpen: true, payMethods: [shown] })
  await write(saleSettings({ isOpen: false }))
  expect((await offered()).payMethods).toEqual([])
})

test('rejects a change based on outdated settings', async () => {
  const before = (await write(saleSettings())).body
  const newer = (await write(saleSettings({ quoteMinutes: 30 }))).body
  expect(newer.lastUpdated).not.toBe(before.lastUpdated)
  const stale = await write({ ...saleSettings({ quoteMinutes: 1 }), lastUpdated: before.lastUpdated })
  expect(stale).toMatchObject({ status: 409, problem: { code: 'conflict' } })
  expect((await read()).quoteMinutes).toBe(30)
  expect((await write({ ...saleSettings(), lastUpdated: newer.lastUpdated })).status).toBe(200)
})

test.each([
  [{ payMethods: [{ ...btc, rate: '0' }] }, 'payMethods.0.rate', 'too_little'],
  [{ payMethods: [{ ...btc, rate: '1e5' }] }, 'payMethods.0.rate', 'number'],
  [{ payMethods: [{ ...btc, minAmount: '6' }] }, 'payMethods.0.maxAmount', 'too_little'],
  [{ payMethods: [{ ...btc, decimals: 19 }] }, 'payMethods.0.decimals', 'number'],
  [{ payMethods: [btc, { ...eth, code: 'BTC' }] }, 'payMethods.1.code', 'already_listed'],
  [{ payMethods: [btc, { ...eth, code: 'Btc' }] }, 'payMethods.1.code', 'already_listed'],
  [
    { payMethods: [{ ...btc, receivingAddress: `${btc.receivingAddress}x` }] },
    'payMethods.0.receivingAddress',
    'address_length',
  ],
  [
    { payMethods: [{ ...btc, receivingAddress: eth.receivingAddress }] },
    'payMethods.0.receivingAddress',
    'address_wrong_chain',
  ],
  [
    { payMethods: [{ ...eth, receivingAddress: eth.receivingAddress.replace('A', 'a') }] },
    'payMethods.0.receivingAddress',
    'address_checksum',
  ],
  [{ quoteMinutes: 0 }, 'quoteMinutes', 'number'],
  [{ quoteMinutes: 1.5 }, 'quoteMinutes', 'number'],
  [
    { payMethods: Array.from({ length: 21 }, (_, n) => ({ ...btc, code: `C${n}` })) },
    'payMethods',
    'too_many',
  ],
])('settings that would lose money are refused by their field (%#)', async (fields, path, code) => {
  const before = await read()
  const answer = await write(saleSettings(fields))
  expect(answer.problem).toMatchObject({ code: 'validation_failed' })
  expect(answer.problem.errors).toMatchObject([{ path, code }])
  expect(await read()).toEqual(before)
})

test('stores an address in the canonical form of its chain, and others unchanged', async () => {
  const bank = { ...btc, code: 'Bank', chain: 'other' as const, receivingAddress: 'Account 1' }
  const lower = { ...eth, receivingAddress: eth.receivingAddress.toLowerCase() }
  const { body } = await write(saleSettings({ payMethods: [lower, bank] }))
  expect(body.payMethods.map(({ receivingAddress }) => receivingAddress)).toEqual([
    eth.receivingAddress,
    'Account 1',
  ])
})

test('logs what was changed and by whom, without values', async () => {
  await write(saleSettings())
  await write({
    ...saleSettings({
      isOpen: false,
      payMethods: [{ ...btc, rate: '77777', receivingAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }],
    }),
    confirmedRates: { BTC: '77777' },
  })
  const entry = await services.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('action', '=', 'sale-updated')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({
    actor_id: keeper.id,
    detail: { isOpen: false, fields: ['isOpen', 'BTC.rate', 'BTC.receivingAddress', 'ETH'] },
  })
  expect(JSON.stringify(entry)).not.toMatch(/77777|1Boat/)
})

test('a demo starts with an open sale with valid addresses, and keeps later changes', async () => {
  const demo = await startApi({ DEMO: 'on' })
  const admin = await aSignedInMember(demo, { manage_coins: 2 })
  const { body } = await demo.call(api.getSaleSettings, {}, { token: admin.token })
  expect(body.isOpen).toBe(true)
  expect(body.payMethods.map(({ code }) => code)).toEqual(['BTC', 'ETH'])
  const again = await demo.call(api.updateSaleSettings, { body }, { token: admin.token })
  expect(again.status).toBe(200)
  expect(again.body.payMethods).toEqual(body.payMethods)
  await aSale(demo, { isOpen: false })
  await seedDemo(demo.services)
  expect((await demo.call(api.getSaleSettings, {}, { token: admin.token })).body.isOpen).toBe(false)
})
