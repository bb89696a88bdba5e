import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { anOrder, aSale, aSignedInMember, goodPassword, saleSettings } from '#tests/builders.ts'
import { orderMailsTo, stepsOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement } from '#tests/statements.ts'
import { letProofAge } from '#tests/step-up.ts'
import { letOrderAge } from '#tests/withdrawals.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services, mailsTo } = started
const ethAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const txId = `0x${'ab'.repeat(32)}`
let counter = 0
const anotherTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`

async function aPaidOrder(fields: Parameters<typeof anOrder>[2] = {}) {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { txId: anotherTx(), fabQty: '10', ...fields })
  const of = { token: member.token }
  return {
    member,
    id,
    ask: (body: { refundAddress?: string; note?: string } = { refundAddress: ethAddress }) =>
      call(api.requestWithdrawal, { params: { id }, body }, of),
    right: async () => (await call(api.getWithdrawalRight, { params: { id } }, of)).body,
    of,
  }
}

test('a member withdraws from a paid order, and gets a receipt with date and reference', async () => {
  const { member, id, ask, right } = await aPaidOrder()
  expect(await right()).toMatchObject({
    days: 14,
    timeZone: 'UTC',
    canRequest: true,
    isUnpaid: false,
    refundChain: 'ethereum',
    withdrawal: null,
  })
  const { status, body } = await ask({ refundAddress: ethAddress.toLowerCase(), note: 'Changed my mind.' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    state: 'requested',
    reference: expect.stringMatching(/^W-[\dA-F]{5}-[\dA-F]{5}$/),
    refundAddress: ethAddress,
    note: 'Changed my mind.',
    refund: null,
  })
  const days = (Date.parse(body.refundBefore) - Date.parse(body.requestedAt)) / DAY
  expect(days).toBeGreaterThan(14)
  expect(days).toBeLessThanOrEqual(15)
  expect((await right()).canRequest).toBe(false)
  expect((await right()).withdrawal).toEqual(body)
  expect(await stepsOf(started, member, id)).toEqual(['placed', 'withdrawal_requested'])
  const receipt = (await mailsTo(member.email)).at(-1)
  expect(receipt).toMatchObject({
    kind: 'order-withdrawal-received',
    text: expect.stringContaining(body.reference),
  })
  expect(receipt?.text).toContain(ethAddress)
  expect(receipt?.text).toContain('UTC')
  expect((await call(api.getOrder, { params: { id } }, { token: member.token })).body.status).toBe('pending')
})

test('emails finance that it waits, but no one about their own', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const { id, ask } = await aPaidOrder()
  await ask()
  expect((await mailsTo(officer.email)).at(-1)).toMatchObject({
    kind: 'staff-withdrawal',
    text: expect.stringContaining(`/console/orders/${id}`),
  })
  const before = (await mailsTo(officer.email)).length
  const own = await anOrder(started, officer.id, { txId: anotherTx() })
  await call(
    api.requestWithdrawal,
    { params: { id: own.id }, body: { refundAddress: ethAddress } },
    { token: officer.token },
  )
  expect((await mailsTo(officer.email)).slice(before).map(({ kind }) => kind)).toEqual([
    'order-withdrawal-received',
  ])
})

test('an unpaid order is canceled at once without a refund', async () => {
  const { member, id, ask, right } = await aPaidOrder({ txId: '' })
  expect((await right()).isUnpaid).toBe(true)
  expect((await ask({})).body).toMatchObject({ state: 'unpaid', refundAddress: '' })
  expect((await call(api.getOrder, { params: { id } }, { token: member.token })).body.status).toBe(
    'cancelled',
  )
  expect(await stepsOf(started, member, id)).toEqual(['placed', 'withdrawn'])
  expect(await orderMailsTo(started, member)).toEqual(['order-withdrawal-unpaid'])
})

test('keeps the refund address of an unpaid order too, if it is valid for the coin', async () => {
  const { ask } = await aPaidOrder({ txId: '' })
  const wrong = await ask({ refundAddress: 'nowhere' })
  expect(wrong.problem.errors?.[0]).toMatchObject({ path: 'refundAddress' })
  const given = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
  expect((await ask({ refundAddress: given.toLowerCase() })).body).toMatchObject({
    state: 'unpaid',
    refundAddress: given,
  })
})

test('a payment in transit counts before anyone reports it', async () => {
  const { id, ask, right } = await aPaidOrder({ txId: '' })
  const { db } = services
  const ours = `0x${'ab'.repeat(20)}`
  const account = { id: 'sample', coin: 'ETH', next_position: 1 }
  await db.insertInto('chain_account').values(account).execute()
  const address = await db
    .insertInto('chain_address')
    .values({
      coin: 'ETH',
      target: ours,
      address: ours,
      order_id: id,
      account_id: account.id,
      position: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('chain_transfer')
    .values({ coin: 'ETH', address_id: address.id, tx_id: anotherTx(), output: 0, amount: '1.5' })
    .execute()
  expect(await right()).toMatchObject({ isUnpaid: false, canRequest: true })
  expect((await ask({})).problem.errors?.[0]).toMatchObject({ path: 'refundAddress', code: 'required' })
  expect((await ask()).body).toMatchObject({ state: 'requested', refundAddress: ethAddress })
})

test('a completed order can be withdrawn from, and stays completed', async () => {
  const { member, id, ask } = await aPaidOrder({ status: 'completed' })
  expect((await ask()).body.state).toBe('requested')
  expect((await call(api.getOrder, { params: { id } }, { token: member.token })).body.status).toBe(
    'completed',
  )
})

test.each([
  ['none', {}, 'required'],
  ['a misspelt one', { refundAddress: ethAddress.replace('A', 'a') }, 'address_checksum'],
  [
    'one of another coin',
    { refundAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
    'address_wrong_chain',
  ],
  ['our own', { refundAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' }, 'our_address'],
])('the address to refund to is one of the coin paid with: %s', async (_, body, code) => {
  const { ask, right } = await aPaidOrder({
    receivingAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  })
  const answer = await ask(body)
  expect([answer.status, answer.problem.errors?.map((each) => [each.path, each.code])]).toEqual([
    400,
    [['refundAddress', code]],
  ])
  expect((await right()).withdrawal).toBeNull()
})

test('a bank payment is refunded to its account, so no address is asked for', async () => {
  const { ask, right } = await aPaidOrder({ payMethod: 'Bank transfer', payChain: null })
  expect((await right()).refundChain).toBeNull()
  expect((await ask({})).body).toMatchObject({ state: 'requested', refundAddress: '' })
})

test('our own account is rejected in any spelling', async () => {
  const receivingAddress = 'DE02 1203 0000 0000 2020 51'
  const method = {
    code: 'Bank',
    chain: 'other',
    currency: 'EUR',
    isOpen: true,
    rate: '1',
    decimals: 2,
  } as const
  const bank = { ...method, minAmount: '1', maxAmount: '1000', receivingAddress }
  await aSale(started, { payMethods: [...saleSettings().payMethods, bank] })
  const { ask } = await aPaidOrder({ payMethod: 'Bank', payChain: null })
  for (const refundAddress of spellings(receivingAddress))
    expect((await ask({ refundAddress })).problem.errors).toMatchObject([{ code: 'our_address' }])
})

const spellings = (account: string) => [
  account,
  account.toLowerCase().replaceAll(' ', ''),
  account.replaceAll(' ', '-'),
  // Full-width letters and digits.
  account.replaceAll(/[^ ]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)),
  `${account} Sample Project Ltd`,
  `IBAN: ${account}`,
]

test('the former account of an order is rejected in any spelling, and another account is not', async () => {
  const receivingAddress = 'DE75 5121 0800 1245 1261 99'
  const { ask } = await aPaidOrder({ payMethod: 'Bank', payChain: 'other', receivingAddress })
  for (const refundAddress of spellings(receivingAddress))
    expect((await ask({ refundAddress })).problem.errors).toMatchObject([{ code: 'our_address' }])
  expect((await ask({ refundAddress: 'DE75 5121 0800 1245 1261 98 Sample Person' })).status).toBe(200)
})

test('an order with an open payment line is not withdrawn from as unpaid', async () => {
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const member = await aSignedInMember(started)
  const { id, reference } = await aBankOrder(started, member)
  await importStatement(started, finance, `Date;Amount;Purpose\n;100;${reference}\n`, bankMapping)
  const by = { token: member.token }
  expect((await call(api.getWithdrawalRight, { params: { id } }, by)).body.isUnpaid).toBe(false)
  const { body } = await call(api.requestWithdrawal, { params: { id }, body: {} }, by)
  expect(body.state).toBe('requested')
  expect((await call(api.getOrder, { params: { id } }, by)).body.status).toBe('pending')
})

test('needs step-up, so that a stolen session cannot redirect the refund', async () => {
  const { member, ask, right } = await aPaidOrder()
  await letProofAge(started, member)
  expect((await ask()).problem.code).toBe('step_up_required')
  expect((await right()).withdrawal).toBeNull()
})

test('rejects a request after the period; an earlier one remains valid', async () => {
  const { id, ask, right } = await aPaidOrder()
  await letOrderAge(started, id, 17 * DAY)
  expect((await right()).canRequest).toBe(false)
  expect((await ask()).problem.code).toBe('conflict')
  await letOrderAge(started, id, 13 * DAY)
  expect((await ask()).body.state).toBe('requested')
  await letOrderAge(started, id, 40 * DAY)
  expect((await right()).withdrawal?.state).toBe('requested')
  expect((await ask()).body.state).toBe('requested')
})

test('ends with the sale: accepted a minute before, rejected a millisecond after', async () => {
  const late = await aPaidOrder()
  const inTime = await aPaidOrder()
  await aSale(started, saleSettings())
  const closeIn = async (ms: number) => {
    const closes_at = new Date(Date.now() + ms)
    await services.db.updateTable('sale').set({ closes_at }).execute()
    return closes_at.toISOString()
  }
  for (const { id } of [late, inTime]) await letOrderAge(started, id, HOUR)
  const until = await closeIn(60_000)
  expect(await inTime.right()).toMatchObject({ until, lastDay: null, canRequest: true })
  expect((await inTime.ask()).body.state).toBe('requested')
  await closeIn(-1)
  expect((await late.right()).canRequest).toBe(false)
  expect((await late.ask()).problem.code).toBe('conflict')
  await services.db.updateTable('sale').set({ closes_at: null }).execute()
})

test('a request from two tabs is made once', async () => {
  const { member, id, ask } = await aPaidOrder()
  const answers = await Promise.all([ask(), ask(), ask()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1)
  expect(await stepsOf(started, member, id)).toEqual(['placed', 'withdrawal_requested'])
  expect(await orderMailsTo(started, member)).toEqual(['order-withdrawal-received'])
})

test.each([{ refundAddress: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23' }, { note: 'again' }])(
  'a second request with %o is rejected rather than dropped',
  async (other) => {
    const { ask } = await aPaidOrder()
    await ask()
    expect((await ask({ refundAddress: ethAddress, ...other })).problem.code).toBe('conflict')
    expect((await ask({ refundAddress: ethAddress.toLowerCase() })).body.refundAddress).toBe(ethAddress)
  },
)

test('a canceled order cannot be withdrawn from', async () => {
  const { ask, right } = await aPaidOrder({ status: 'cancelled' })
  expect((await right()).canRequest).toBe(false)
  expect((await ask()).problem.code).toBe('conflict')
})

test('another member’s order is not found, and its withdrawal is not revealed', async () => {
  const { id, ask } = await aPaidOrder()
  const other = await aSignedInMember(started)
  const by = { token: other.token }
  const body = { refundAddress: ethAddress }
  const before = await call(api.requestWithdrawal, { params: { id }, body }, by)
  await ask()
  const after = await call(api.requestWithdrawal, { params: { id }, body }, by)
  const none = await call(api.requestWithdrawal, { params: { id: 'none' }, body }, by)
  expect([before, after, none].map(({ status }) => status)).toEqual([404, 404, 404])
  expect((await call(api.getWithdrawalRight, { params: { id } }, by)).status).toBe(403)
  expect((await call(api.getWithdrawalRight, { params: { id: 'none' } }, by)).status).toBe(403)
})

test('is in the member’s export; after erasure it stays as a financial record, without emails', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const { member, id, ask, of } = await aPaidOrder()
  const { body: made } = await ask()
  const exported = (await call(api.exportMember, {}, of)).body as Record<string, unknown>
  expect(exported['withdrawals']).toMatchObject([
    { reference: made.reference, refundAddress: ethAddress, state: 'requested' },
  ])
  expect((await call(api.eraseMember, { body: { current: goodPassword } }, of)).status).toBe(200)
  const mails = (await mailsTo(member.email)).length
  const by = { token: officer.token }
  expect((await call(api.acceptWithdrawal, { params: { id: made.id }, body: {} }, by)).status).toBe(200)
  const paidOn = new Date().toISOString().slice(0, 10)
  const refunded = await call(
    api.recordRefund,
    { params: { id: made.id }, body: { amount: '1.5', txId, paidOn, reason: 'It came.' } },
    by,
  )
  expect(refunded.body).toMatchObject({ state: 'refunded', orderId: id })
  expect((await mailsTo(member.email)).length).toBe(mails)
})

test('the promised period stays valid whatever is set later; a longer one applies too', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const member = await aSignedInMember(started)
  const of = { token: member.token }
  const body = {
    memberId: member.id,
    payMethod: 'ETH',
    amount: '1.5',
    fabQty: '10',
    fabAddress: '',
    reason: 'Agreed.',
  }
  const { _id: id } = (await call(api.createOrder, { body }, { token: officer.token })).body
  const right = async () => (await call(api.getWithdrawalRight, { params: { id } }, of)).body
  const promised = await right()
  expect(promised).toMatchObject({ days: 14, timeZone: 'UTC', canRequest: true })
  const set = (change: object) => {
    services.config.withdrawals = { days: 14, timeZone: 'UTC', tradedSince: null, ...change }
  }
  try {
    for (const change of [{ days: 0 }, { days: 1 }, { tradedSince: '2020-01-01' }]) {
      set(change)
      expect(await right()).toEqual(promised)
    }
    set({ days: 0 })
    await aSale(started, saleSettings())
    await services.db.updateTable('sale').set({ closes_at: new Date() }).execute()
    expect(await right()).toEqual(promised)
    await services.db.updateTable('sale').set({ closes_at: null }).execute()
    set({ days: 30, timeZone: 'Europe/Paris' })
    expect(await right()).toMatchObject({ days: 30, timeZone: 'Europe/Paris' })
    set({ days: 0 })
    expect((await call(api.requestWithdrawal, { params: { id }, body: {} }, of)).body.state).toBe('unpaid')
  } finally {
    set({})
  }
})

test('if the setting is off, it is neither offered nor accepted', async () => {
  services.config.withdrawals = { days: 0, timeZone: 'UTC', tradedSince: null }
  const { ask, right } = await aPaidOrder()
  expect(await right()).toMatchObject({ days: 0, until: null, canRequest: false, withdrawal: null })
  expect((await ask()).problem.code).toBe('conflict')
  services.config.withdrawals = { days: 14, timeZone: 'UTC', tradedSince: null }
})
