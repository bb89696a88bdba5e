import { sql } from 'kysely'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSale, aSignedInMember, proveIdentity, saleSettings, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({ SALE_FOUR_EYES: 'on' }, afterAll)
const { call, services, mailsTo } = started
const [one, two, three] = [
  await aSignedInMember(started, { manage_coins: 2, display_name: 'One' }),
  await aSignedInMember(started, { manage_coins: 2, display_name: 'Two' }),
  await aSignedInMember(started, { manage_coins: 2 }),
]
const reader = await aSignedInMember(started, { manage_coins: 1 })
const as = (by: TestMember) => ({ token: by.token })

const [btc, eth] = saleSettings().payMethods as [
  ReturnType<typeof saleSettings>['payMethods'][number],
  ReturnType<typeof saleSettings>['payMethods'][number],
]
const to = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const moved = { payMethods: [{ ...btc, receivingAddress: to, rate: '130000' }, eth] }
const write = (by: TestMember, fields: Parameters<typeof saleSettings>[0] = {}) =>
  call(api.updateSaleSettings, { body: saleSettings(fields) }, as(by))
const read = async () => (await call(api.getSaleSettings, {}, as(reader))).body
const addressOf = async () => (await read()).payMethods[0]!.receivingAddress
const confirm = (by: TestMember, id: string) =>
  call(api.confirmSaleProposal, { params: { id }, body: {} }, as(by))
/** Emails write addresses this way, so that they don't become links. */
const asWords = (email: string) => email.replace('@', ' @ ').replace('.org', '. org')
const decline = (by: TestMember, id: string, reason?: string) =>
  call(api.declineSaleProposal, { params: { id }, body: { ...(reason && { reason }) } }, as(by))
async function propose(by = one) {
  const { body } = await write(by, moved)
  return body.proposal!.id
}
const outcomes = async () =>
  (await services.db.selectFrom('sale_proposal').select('outcome').orderBy('proposed_at').execute()).map(
    ({ outcome }) => outcome,
  )
const versions = async () => (await call(api.listSettingVersions, {}, as(reader))).body

beforeEach(async () => {
  await services.db.deleteFrom('sale_proposal').execute()
  await aSale(started)
})

/** Prevents the address from becoming a link. */
const inMail = (email: string) => email.replace('@', ' @ ').replace('.', '. ')

test('a new receiving address awaits a second person, with the whole save, who is notified', async () => {
  const { body } = await write(one, moved)
  expect(body).toMatchObject({ ...saleSettings(), takesTwo: true })
  expect(body.proposal).toMatchObject({
    by: { id: one.id, name: `One (${one.email})` },
    changes: [
      { path: 'BTC.rate', from: '120000', to: '130000' },
      { path: 'BTC.receivingAddress', from: btc.receivingAddress, to },
    ],
  })
  expect(Date.parse(body.proposal!.expiresAt) - Date.parse(body.proposal!.at)).toBe(3 * 86_400_000)
  const mail = (await mailsTo(two.email)).at(-1)!
  expect(mail.kind).toBe('sale-address-proposed')
  expect(mail.text).toContain(to)
  const confirmed = await confirm(two, body.proposal!.id)
  expect(confirmed.body).toMatchObject({ ...saleSettings(moved), proposal: null })
  expect((await versions())[0]).toMatchObject({ by: { id: one.id }, confirmedBy: { id: two.id } })
  expect((await mailsTo(one.email)).at(-1)).toMatchObject({ kind: 'sale-address-changed' })
  expect((await mailsTo(one.email)).at(-1)!.text).toContain(`${inMail(one.email)} and ${inMail(two.email)}`)
})

test('closing the sale or a method, and removing one, need one person', async () => {
  const closed = { ...btc, isOpen: false }
  expect((await write(one, { payMethods: [closed, eth] })).body).toMatchObject({ proposal: null })
  expect((await write(one, { payMethods: [eth] })).body.payMethods).toHaveLength(1)
  expect((await write(one, { isOpen: false, payMethods: [eth] })).body).toMatchObject({
    isOpen: false,
    proposal: null,
  })
})

test.each([
  ['the validity of quotes', { quoteMinutes: 1440 }],
  ['the cap', { cap: '5' }],
  ["a member's cap", { memberCap: '5' }],
  ['the window', { closesAt: '2099-01-01T00:00:00.000Z' }],
  ['a minimum', { payMethods: [{ ...btc, minAmount: '0' }, eth] }],
  ['a maximum', { payMethods: [{ ...btc, maxAmount: '999999' }, eth] }],
  ['the decimals', { payMethods: [{ ...btc, decimals: 2 }, eth] }],
  ['the currency', { payMethods: [{ ...btc, currency: 'btc' }, eth] }],
  ['an opened sale', { isOpen: true }],
])('a change of %s waits for a second person, who is emailed', async (what, fields) => {
  if (what === 'an opened sale') await aSale(started, { isOpen: false })
  const before = await read()
  const { body } = await write(one, fields)
  expect(body.proposal).not.toBeNull()
  expect({ ...(await read()), proposal: null }).toEqual({ ...before, proposal: null })
  expect((await mailsTo(two.email)).at(-1)).toMatchObject({ kind: 'sale-terms-proposed' })
})

test.each([
  ['a coin that is new', { payMethods: [btc, eth, { ...btc, code: 'BTC2' }] }],
  [
    'a coin that gets the address of another one',
    {
      payMethods: [
        { ...btc, code: 'ETH' },
        { ...eth, code: 'BTC' },
      ],
    },
  ],
])('%s waits as well', async (_, fields) => {
  expect((await write(one, fields)).body.proposal).not.toBeNull()
  expect(await read()).toMatchObject(saleSettings())
})

test('neither the author, a read-only role, nor a session without step-up can approve', async () => {
  const id = await propose()
  expect((await confirm(one, id)).problem.code).toBe('forbidden')
  expect((await confirm(reader, id)).problem.code).toBe('forbidden')
  const old = await aSignedInMember(started, { manage_coins: 2 })
  await letProofAge(started, old)
  expect((await confirm(old, id)).problem.code).toBe('step_up_required')
  expect(await addressOf()).toBe(btc.receivingAddress)
  expect((await confirm(two, id)).status).toBe(200)
  expect((await confirm(three, id)).problem.code).toBe('conflict')
})

test('declining needs a reason, which is emailed to the author; withdrawing does not', async () => {
  const id = await propose()
  expect((await decline(two, id)).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  expect((await decline(two, id, 'Not ours.')).body.proposal).toBeNull()
  expect((await mailsTo(one.email)).at(-1)!.text).toContain(`Two (${asWords(two.email)}) declined`)
  expect((await mailsTo(one.email)).at(-1)!.text).toContain('Not ours.')
  expect((await decline(one, await propose())).body.proposal).toBeNull()
  expect(await outcomes()).toEqual(['declined', 'withdrawn'])
  expect(await addressOf()).toBe(btc.receivingAddress)
  expect((await confirm(two, id)).problem.code).toBe('conflict')
})

test('a proposal ends with other changes, with a new proposal, and when it expires', async () => {
  const first = await propose()
  await write(three, { isOpen: false })
  expect((await read()).proposal).toBeNull()
  expect((await confirm(two, first)).problem.code).toBe('conflict')
  const second = await propose()
  const third = await propose(three)
  expect((await confirm(two, second)).problem.code).toBe('conflict')
  expect((await read()).proposal!.id).toBe(third)
  await services.db
    .updateTable('sale_proposal')
    .set({ proposed_at: sql<Date>`now() - interval '73 hours'` })
    .execute()
  expect((await read()).proposal).toBeNull()
  expect((await confirm(two, third)).problem.code).toBe('conflict')
  await cleanUp(services)
  expect((await outcomes()).toSorted()).toEqual(['expired', 'overtaken', 'overtaken'])
})

test('a proposal of someone who lost the right cannot be approved', async () => {
  const gone = await aSignedInMember(started, { manage_coins: 2 })
  const id = await propose(gone)
  await services.db.updateTable('member').set({ manage_coins: 1 }).where('id', '=', gone.id).execute()
  expect((await read()).proposal).toBeNull()
  expect((await confirm(two, id)).problem.code).toBe('conflict')
})

test.each([
  ['the right', { manage_coins: 1 }, { manage_coins: 2 }],
  ['the account', { active: false }, { active: true }],
])('a proposal does not count again when its author gets %s back', async (_, lost, found) => {
  const back = await aSignedInMember(started, { manage_coins: 2 })
  const id = await propose(back)
  const become = (fields: typeof lost | typeof found) =>
    services.db.updateTable('member').set(fields).where('id', '=', back.id).execute()
  await become(lost)
  await become(found)
  expect((await confirm(two, id)).problem.code).toBe('conflict')
  expect(await outcomes()).toEqual(['expired'])
})

test('a proposal of someone who lost the required factor cannot be approved, and does not wait', async () => {
  const { db, config } = services
  const [proposer, second] = [
    await aSignedInMember(started, { manage_coins: 2 }),
    await aSignedInMember(started, { manage_coins: 2 }),
  ]
  for (const { id } of [proposer, second, reader]) {
    await db
      .insertInto('totp')
      .values({ member_id: id, sealed_secret: Buffer.alloc(0), confirmed_at: new Date() })
      .execute()
    await db.updateTable('session').set({ has_proved_factor: true }).where('member_id', '=', id).execute()
  }
  const waiting = async () =>
    (await call(api.listNeedsAttention, {}, as(second))).body.find(({ what }) => what === 'sale_proposals')!
      .count
  config.isStaffSecondFactorRequired = true
  onTestFinished(() => void (config.isStaffSecondFactorRequired = false))
  const id = await propose(proposer)
  expect([(await read()).proposal?.id, await waiting()]).toEqual([id, 1])
  await db.deleteFrom('totp').where('member_id', '=', proposer.id).execute()
  expect([(await read()).proposal, await waiting()]).toEqual([null, 0])
  expect((await confirm(second, id)).problem.code).toBe('conflict')
  expect((await decline(second, id, 'No.')).problem.code).toBe('conflict')
})

test('of two concurrent approvals and a decline, one decides', async () => {
  for (let n = 0; n < 4; n += 1) {
    await aSale(started)
    const id = await propose()
    const answers = await Promise.all([confirm(two, id), decline(three, id, 'No.'), confirm(three, id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ problem }) => problem?.code === 'conflict')).toHaveLength(2)
    expect(await addressOf()).toBe(answers[1].status === 200 ? btc.receivingAddress : to)
  }
})

test('an address restored with an older version waits like any other', async () => {
  const id = await propose()
  await confirm(two, id)
  const older = (await versions()).find(({ by }) => by === null)!
  const { lastUpdated } = await read()
  const body = { lastUpdated }
  const answer = await call(api.restoreSettingVersion, { params: { id: older.id }, body }, as(one))
  expect(answer.body).toEqual({ isProposed: true })
  expect(await addressOf()).toBe(to)
  await confirm(two, (await read()).proposal!.id)
  expect(await addressOf()).toBe(btc.receivingAddress)
  expect((await versions())[0]).toMatchObject({ restoredId: older.id })
})

test('neither approver can buy at their price', async () => {
  for (const member of [one, two]) await proveIdentity(started, member)
  await services.db.deleteFrom('sale_setter').execute()
  const id = await propose()
  const quote = (by: TestMember) => call(api.createQuote, { body: { payMethod: 'BTC', amount: '1' } }, as(by))
  expect((await quote(one)).problem.code).toBe('own_price')
  expect((await quote(two)).status).toBe(201)
  await confirm(two, id)
  for (const member of [one, two]) expect((await quote(member)).problem.code).toBe('own_price')
})

test('rejects invalid entries and conflicts before asking for step-up', async () => {
  const old = await aSignedInMember(started, { manage_coins: 2 })
  await letProofAge(started, old)
  const zero = { payMethods: [{ ...btc, rate: '0' }, eth] }
  expect((await write(old, zero)).problem.errors).toMatchObject([{ path: 'payMethods.0.rate' }])
  const jump = { payMethods: [{ ...btc, rate: '12000000' }, eth] }
  expect((await write(old, jump)).problem.errors).toMatchObject([{ code: 'confirm_rate' }])
  expect((await confirm(old, '00000000-0000-4000-8000-000000000000')).problem.code).toBe('conflict')
  expect((await write(old, { quoteMinutes: 5 })).problem.code).toBe('step_up_required')
  expect(await read()).toMatchObject(saleSettings())
})
