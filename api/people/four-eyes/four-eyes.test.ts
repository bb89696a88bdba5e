import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { FourEyesArea } from '#contract/people/four-eyes.ts'
import { readConfig } from '#api/platform/config/config.ts'
import type { MemberChange } from '#api/people/members/member.queries.ts'
import { updateMemberRow } from '#api/people/members/member.queries.ts'
import { anOrder, aSale, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { ownBrand } from '#tests/own-brand.ts'
import { aMemberWithTotp, nextCode } from '#tests/step-up.ts'
import { staffDecides, startApi, type TestApi } from '#tests/setup/start-api.ts'

const start = (settings: Record<string, string> = {}) => startApi({ ...staffDecides, ...settings })
const as = ({ token }: TestMember) => ({ token })
const officers = async (on: TestApi, count: number) => {
  const made: TestMember[] = []
  for (let n = 0; n < count; n++) made.push(await aSignedInMember(on, { manage_finance: 2 }))
  return made as [TestMember, TestMember]
}
const complete = async (on: TestApi, by: TestMember, fabQty: string | null, owner?: TestMember) => {
  const member = owner ?? (await aSignedInMember(on))
  const { id } = await anOrder(on, member.id, { fabQty, email: 'buyer@example.org' })
  // The order has 1.5 due.
  const completing = {
    _id: id,
    status: 'completed',
    paidAmount: '1.5',
    reason: 'Seen in the bank account.',
  } as const
  const { body } = await on.call(api.updateOrder, { body: completing }, as(by))
  return body.status
}
const moved = (() => {
  const [btc, eth] = saleSettings().payMethods
  return { payMethods: [{ ...btc!, receivingAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }, eth!] }
})()
const stateOf = async (on: TestApi, by: TestMember, area: FourEyesArea) =>
  (await on.call(api.listFourEyes, {}, as(by))).body.find((each) => each.area === area)
const actions = async (on: TestApi) =>
  (
    await on.services.db
      .selectFrom('audit_entry')
      .select(['action', 'detail'])
      .where('action', 'in', ['four-eyes-on', 'four-eyes-off'])
      .orderBy('id')
      .execute()
  ).map(({ action, detail }) => `${action} ${(detail as { area: string }).area}`)

test('with two finance officers, an order of 10,000 tokens or unknown quantity needs both', async () => {
  const on = await start()
  const [one] = await officers(on, 2)
  expect(await complete(on, one, '9999.99999999')).toBe('completed')
  expect(await complete(on, one, '10000')).toBe('pending')
  expect(await complete(on, one, null)).toBe('pending')
  expect(await stateOf(on, one, 'orders')).toEqual({
    area: 'orders',
    isOn: true,
    cause: 'staff',
    approvers: 2,
  })
})

test('a single finance officer never waits for a second one', async () => {
  const on = await start()
  const [one] = await officers(on, 1)
  expect(await complete(on, one, '10000000')).toBe('completed')
  expect(await stateOf(on, one, 'orders')).toMatchObject({ isOn: false, cause: 'staff', approvers: 1 })
})

test('of two officers, one can neither complete, enter, nor refund a large order of the other alone', async () => {
  const on = await start()
  const [one, owner] = await officers(on, 2)
  const { id } = await anOrder(on, owner.id, { fabQty: '10000', email: 'owner@example.org' })
  const completing = { _id: id, status: 'completed', paidAmount: '1.5', reason: 'Seen in the bank.' } as const
  expect((await on.call(api.updateOrder, { body: completing }, as(one))).body.status).toBe('pending')
  // The recorded payment is a change that a second approver hasn't seen, so the proposal starts again.
  await on.call(api.updateOrder, { body: { _id: id, status: 'completed' } }, as(one))
  const again = await on.call(api.updateOrder, { body: { _id: id, status: 'completed' } }, as(one))
  expect(again.problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])
  const entered = await on.call(
    api.createOrder,
    {
      body: {
        memberId: owner.id,
        fabQty: '10000',
        amount: '1.5',
        payMethod: 'Bank',
        status: 'completed',
        reason: 'Agreed at the fair.',
      },
    },
    as(one),
  )
  expect(entered.problem.errors).toMatchObject([{ path: 'status', code: 'second_person' }])

  const paid = await anOrder(on, owner.id, { fabQty: '10000', email: 'owner@example.org', paidAmount: '1.5' })
  const refundAddress = '0x52908400098527886E0F7030069857D2E4169EE7'
  const opening = { refundAddress, reason: 'Refund agreed by phone.' }
  await on.call(api.openRefund, { params: { id: paid.id }, body: opening }, as(one))
  const withdrawal = await on.services.db
    .selectFrom('order_withdrawal')
    .select('id')
    .where('order_id', '=', paid.id)
    .executeTakeFirstOrThrow()
  const accept = () => on.call(api.acceptWithdrawal, { params: { id: withdrawal.id }, body: {} }, as(one))
  await accept()
  expect((await accept()).problem.errors).toMatchObject([{ path: 'act', code: 'second_person' }])
})

test('a third officer approves a large order of one of the others', async () => {
  const on = await start()
  const [one, owner] = await officers(on, 3)
  expect(await complete(on, one, '10000', owner)).toBe('pending')
})

test.each<[string, MemberChange]>([
  ['was closed', { active: false }],
  ['may only read', { manage_finance: 1 }],
  ['has too short a password', { password_length_ok_for_staff: false }],
])('somebody who %s is no second officer', async (_, change) => {
  const on = await start()
  const [one, two] = await officers(on, 2)
  await updateMemberRow(on.services.db, two.id, change)
  expect(await complete(on, one, '10000000')).toBe('completed')
})

test('someone without the required second factor does not count as a second officer', async () => {
  const on = await start()
  await officers(on, 2)
  Object.assign(on.services.config, { isStaffSecondFactorRequired: true })
  onTestFinished(() => void Object.assign(on.services.config, { isStaffSecondFactorRequired: false }))
  const { readOrderPolicy } = await import('./read-policy.ts')
  expect(await readOrderPolicy(on.services.db, on.services.config)).toEqual({ twoPersonsFrom: null })
})

test('a setting overrides the number of people', async () => {
  const off = await start({ ORDER_TWO_PERSONS_FROM: 'off' })
  const [one] = await officers(off, 2)
  expect(await complete(off, one, '10000000')).toBe('completed')
  expect(await stateOf(off, one, 'orders')).toMatchObject({ isOn: false, cause: 'setting' })
  const alone = await start({ ORDER_TWO_PERSONS_FROM: '5' })
  const [single] = await officers(alone, 1)
  expect(await complete(alone, single, '5')).toBe('pending')
})

test('with two sale managers, a new receiving address needs both; with one, it needs one', async () => {
  const on = await start()
  await aSale(on)
  const one = await aSignedInMember(on, { manage_coins: 2 })
  const save = (by: TestMember, fields: object) =>
    on.call(api.updateSaleSettings, { body: saleSettings(fields) }, as(by))
  const alone = await save(one, moved)
  expect(alone.body).toMatchObject({ takesTwo: false, proposal: null })
  const two = await aSignedInMember(on, { manage_coins: 2 })
  const { body } = await save(two, {})
  expect(body).toMatchObject({ takesTwo: true, proposal: { by: { id: two.id } } })
})

test('with two editors, links and legal texts need both; with one, they need one', async () => {
  const on = await start()
  const one = await aContentDesk(on)
  const withLink = async (exchange: string) => ({
    '': { ...((await one.read('brand.json')).published as object), links: { ...ownBrand.links, exchange } },
  })
  await one.save('brand.json', await withLink('https://one.example'))
  expect((await one.publish(['brand.json'])).body.state).toBe('published')
  await aContentDesk(on)
  await one.save('brand.json', await withLink('https://two.example'))
  expect((await one.publish(['brand.json'])).body.state).toBe('proposed')
})

test('removing a colleague leaves an audit entry and an email to administrators before anyone acts alone', async () => {
  const on = await start()
  const admin = await aSignedInMember(on, { is_write_access_admin: true })
  const [one, two] = await officers(on, 2)
  await cleanUp(on.services)
  expect(await actions(on)).toEqual([])
  await updateMemberRow(on.services.db, two.id, { manage_finance: 1 })
  expect(await complete(on, one, '10000000')).toBe('completed')
  expect((await actions(on)).toSorted()).toEqual(['four-eyes-off identity', 'four-eyes-off orders'])
  expect((await on.mailsTo(admin.email)).map(({ kind }) => kind)).toContain('four-eyes-off')
  expect((await on.mailsTo(one.email)).map(({ kind }) => kind)).toContain('four-eyes-off')
  await updateMemberRow(on.services.db, two.id, { manage_finance: 2 })
  await Promise.all([cleanUp(on.services), cleanUp(on.services)])
  expect((await actions(on)).filter((each) => each === 'four-eyes-on orders')).toHaveLength(1)
})

test('a check that was never noted as on leaves a trace all the same when a change of rights turns it off', async () => {
  const on = await start()
  // As at the start, when there is no staff yet.
  await cleanUp(on.services)
  const admin = await aSignedInMember(on, { is_write_access_admin: true })
  const [one, two] = await officers(on, 2)
  const body = { _id: two.id, manageFinance: 0 } as const
  expect((await on.call(api.updateMember, { body }, as(admin))).status).toBe(200)
  expect((await actions(on)).filter((each) => each.endsWith('orders'))).toEqual([
    'four-eyes-on orders',
    'four-eyes-off orders',
  ])
  for (const { email } of [admin, one])
    expect((await on.mailsTo(email)).map(({ kind }) => kind)).toContain('four-eyes-off')
  expect(await complete(on, one, '10000000')).toBe('completed')
})

test('requiring a second person notes that the check is on', async () => {
  const on = await start()
  await cleanUp(on.services)
  const [one, two] = await officers(on, 2)
  expect(await complete(on, one, '10000')).toBe('pending')
  expect(await actions(on)).toContain('four-eyes-on orders')
  await updateMemberRow(on.services.db, two.id, { manage_finance: 1 })
  expect(await complete(on, one, '10000')).toBe('completed')
  expect(await actions(on)).toContain('four-eyes-off orders')
})

test.each<[string, object]>([
  ['is closed', { active: false }],
  ['loses the right', { manageFinance: 0 }],
])(
  'a colleague whose account %s is emailed, even if only the administrator who did it can approve',
  async (_, change) => {
    const on = await start()
    await cleanUp(on.services)
    const admin = await aSignedInMember(on, { is_write_access_admin: true, manage_finance: 2 })
    const two = await aSignedInMember(on, { manage_finance: 2 })
    const body = { _id: two.id, ...change } as const
    expect((await on.call(api.updateMember, { body }, as(admin))).status).toBe(200)
    expect(await complete(on, admin, '10000000')).toBe('completed')
    for (const { email } of [admin, two])
      expect((await on.mailsTo(email)).map(({ kind }) => kind)).toContain('four-eyes-off')
    expect(await actions(on)).toContain('four-eyes-off orders')
  },
)

const withdrawals = {
  deactivation: (on: TestApi, of: TestMember, admin: TestMember) =>
    on.call(api.updateMember, { body: { _id: of.id, active: false } }, as(admin)),
  erasure: (on: TestApi, of: TestMember) =>
    on.call(api.eraseMember, { body: { current: of.password } }, as(of)),
}

test.each(Object.keys(withdrawals) as (keyof typeof withdrawals)[])(
  'the %s of a colleague leaves a trace at once',
  async (way) => {
    const on = await start()
    await cleanUp(on.services)
    const admin = await aSignedInMember(on, { is_write_access_admin: true })
    const [, two] = await officers(on, 2)
    expect((await withdrawals[way](on, two, admin)).status).toBe(200)
    expect(await actions(on)).toContain('four-eyes-off orders')
  },
)

test('a second factor that a colleague removes leaves a trace at once', async () => {
  const on = await start({ STAFF_SECOND_FACTOR: 'required' })
  await cleanUp(on.services)
  await aMemberWithTotp(on, { manage_finance: 2 })
  const { member, totp } = await aMemberWithTotp(on, { manage_finance: 2 })
  expect(await actions(on)).toContain('four-eyes-on orders')
  const code = nextCode(totp)
  expect(
    (await on.call(api.removeTotp, { body: { code } }, { token: member.token, ip: member.ip })).status,
  ).toBe(200)
  expect(await actions(on)).toContain('four-eyes-off orders')
})

test.each([
  ['ORDER_TWO_PERSONS_FROM', 'on'],
  ['ORDER_TWO_PERSONS_FROM', '-1'],
  ['SALE_FOUR_EYES', 'yes'],
  ['KYC_FOUR_EYES', 'none'],
  ['CONTENT_TWO_PERSONS', 'lega'],
  ['CONTENT_TWO_PERSONS', 'legal,off'],
])('%s=%s refuses the start', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name)
})
