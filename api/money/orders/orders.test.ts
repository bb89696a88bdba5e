import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Order } from '#contract/money/orders.ts'
import { anApplication, anOrder, aSignedInMember, proveIdentity, type TestMember } from '#tests/builders.ts'
import { updatePaid } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { canBecome } from './order.rules.ts'
import { ownAddress, wrongOwnAddresses } from '#tests/own-chain.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const reader = await aSignedInMember(started, { manage_finance: 1 })
const customer = await aSignedInMember(started)

async function aBuyer(): Promise<TestMember> {
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  return member
}

const place = (by: TestMember, body: Parameters<typeof call<typeof api.createOrder>>[1]['body']) =>
  call(api.createOrder, { body }, { token: by.token })

/** Finance enters an order for another member. */
const enter = (body: Parameters<typeof place>[1]) => place(finance, { memberId: customer.id, ...body })

const orderFields = {
  email: 'Buyer@Example.org',
  ethAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  btcAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  fabAddress: ownAddress,
  payMethod: 'ETH',
  amount: '0.5',
}

test('a verified member orders; owner, status, and quantity come from the server', async () => {
  const buyer = await aBuyer()
  const answer = await place(buyer, { ...orderFields, status: 'completed', fabQty: 1_000_000 })
  expect(answer).toMatchObject({
    status: 201,
    body: {
      ...orderFields,
      email: 'buyer@example.org',
      amount: 0.5,
      memberId: buyer.id,
      status: 'pending',
      fabQty: null,
    },
  })
  expect(
    (await call(api.getOrder, { params: { id: answer.body._id } }, { token: buyer.token })).body,
  ).toEqual(answer.body)
})

test.each(['none', 'submitted', 'in_review', 'rejected', 'more_info', 'expired'] as const)(
  'no one orders for themselves with an identity that is %s',
  async (state) => {
    const member = await aSignedInMember(started)
    if (state !== 'none') await anApplication(started, member, state)
    expect((await place(member, orderFields)).problem.code).toBe('forbidden')
    expect((await call(api.findOrders, { body: {} }, { token: member.token })).body).toEqual([])
  },
)

test('only finance orders in another member’s name', async () => {
  const [buyer, other] = [await aBuyer(), await aBuyer()]
  expect((await place(buyer, { ...orderFields, memberId: other.id })).problem.code).toBe('forbidden')
  expect((await place(buyer, { ...orderFields, memberId: buyer.id })).status).toBe(201)
  const entered = await place(finance, {
    ...orderFields,
    memberId: other.id,
    status: 'Completed',
    fabQty: '12.25',
    reason: 'Paid before.',
  })
  expect(entered).toMatchObject({
    status: 201,
    body: { memberId: other.id, status: 'completed', fabQty: 12.25 },
  })
})

test('finance cannot order for a missing member, or in an unknown status', async () => {
  const refusedFields = async (body: object) =>
    (await enter({ ...orderFields, ...body })).problem.errors?.map(({ path, code }) => [path, code])
  expect(await refusedFields({ memberId: 'nobody' })).toEqual([['memberId', 'unknown']])
  expect(await refusedFields({ status: 'paid' })).toEqual([['status', 'one_of']])
  const gone = await aSignedInMember(started)
  await call(api.eraseMember, { body: { current: gone.password } }, { token: gone.token })
  expect(await refusedFields({ memberId: gone.id })).toEqual([['memberId', 'unknown']])
})

test.each([
  [{ amount: -1 }, 'amount'],
  [{ amount: 1e20 }, 'amount'],
  [{ amount: '1e5' }, 'amount'],
  [{ amount: '1.0000000000000000001' }, 'amount'],
  [{ amount: ' 1' }, 'amount'],
  [{ amount: 'NaN' }, 'amount'],
  [{ amount: true }, 'amount'],
  [{ email: 'nobody' }, 'email'],
  [{ ethAddress: 'x'.repeat(129) }, 'ethAddress'],
  [{ payMethod: 'x'.repeat(41) }, 'payMethod'],
  [{ payMethod: 'a\nb' }, 'payMethod'],
  [{ _id: 'mine' }, '_id'],
  [{ createdAt: '2020-01-01T00:00:00Z' }, 'createdAt'],
])('an order is refused by its field: %j', async (fields, path) => {
  const answer = await enter({ ...orderFields, ...fields } as never)
  expect(answer.status).toBe(400)
  expect(answer.problem.errors!.map((error) => error.path)).toEqual([path])
})

test.each([1e-19, Number.MIN_VALUE])('the amount %s is refused instead of becoming 0', async (amount) => {
  const answer = await enter({ ...orderFields, amount })
  expect(answer.problem.errors).toMatchObject([{ path: 'amount' }])
})

test.each([
  [0, 0, '0.000000000000000000'],
  [0.1, 0.1, '0.100000000000000000'],
  [1e-7, 1e-7, '0.000000100000000000'],
  [123456789.125, 123456789.125, '123456789.125000000000000000'],
  [
    '12345678901234567890.123456789012345678',
    Number('12345678901234567890.123456789012345678'),
    '12345678901234567890.123456789012345678',
  ],
  [null, null, null],
])('the amount %s is kept to the last digit', async (given, shown, kept) => {
  const { body } = await enter({ ...orderFields, amount: given })
  expect(body.amount).toBe(shown)
  const row = await services.db
    .selectFrom('token_order')
    .select('amount')
    .where('id', '=', body._id)
    .executeTakeFirstOrThrow()
  expect(row.amount).toBe(kept)
})

test('a member finds only their own orders, whatever the filters', async () => {
  const [buyer, other] = [await aSignedInMember(started), await aSignedInMember(started)]
  const own = await anOrder(started, buyer.id, { email: 'same@example.org' })
  await anOrder(started, other.id, { email: 'same@example.org' })
  const find = async (body: object) =>
    (await call(api.findOrders, { body }, { token: buyer.token })).body.map(({ _id }) => _id)
  expect(await find({})).toEqual([own.id])
  expect(await find({ memberId: buyer.id })).toEqual([own.id])
  expect(await find({ email: 'same@example.org' })).toEqual([own.id])
  expect(await find({ email: 'other@example.org' })).toEqual([])
  const foreign = await call(api.findOrders, { body: { memberId: other.id } }, { token: buyer.token })
  expect(foreign).toMatchObject({ status: 403, problem: { code: 'forbidden' } })
})

test('another member’s order is forbidden whether it exists or not', async () => {
  const member = await aSignedInMember(started)
  const order = await anOrder(started, finance.id)
  for (const id of [order.id, 'nothing'])
    expect((await call(api.getOrder, { params: { id } }, { token: member.token })).problem.code).toBe(
      'forbidden',
    )
  expect((await call(api.getOrder, { params: { id: 'nothing' } }, { token: reader.token })).status).toBe(404)
})

test('finance finds orders by each field, newest first', async () => {
  const member = await aSignedInMember(started)
  const fields = {
    email: 'found@example.org',
    ethAddress: '0xfound',
    btcAddress: 'bfound',
    fabAddress: 'ffound',
  }
  const orders = [await anOrder(started, member.id, fields), await anOrder(started, member.id, fields)]
  for (const filter of [...Object.entries(fields), ['memberId', member.id]]) {
    const { body } = await call(
      api.findOrders,
      { body: Object.fromEntries([filter]) },
      { token: reader.token },
    )
    expect(new Set(body.map(({ _id }: Order) => _id))).toEqual(new Set(orders.map(({ id }) => id)))
  }
  const { body } = await call(api.listOrders, { query: { limit: 100 } }, { token: reader.token })
  expect(body.map(({ createdAt }) => createdAt)).toEqual(
    body
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .toReversed(),
  )
})

test('finance completes an order once; a closed order keeps its status', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id)
  const update = (body: object) => updatePaid(started, { _id: id, ...body }, finance)
  expect((await update({ fabQty: 100, reason: 'As agreed.' })).status).toBe(200)
  expect(await update({ status: 'completed' })).toMatchObject({
    status: 200,
    body: { status: 'completed', fabQty: 100, memberId: member.id },
  })
  expect((await update({ status: 'completed' })).status).toBe(200)
  expect(await update({ status: 'cancelled' })).toMatchObject({ status: 409, problem: { code: 'conflict' } })
  expect(await update({ status: 'pending' })).toMatchObject({ status: 409 })
  expect((await update({ memberId: finance.id })).problem.errors).toEqual([
    expect.objectContaining({ path: 'memberId', code: 'mismatch' }),
  ])
  expect((await update({ status: 'Completed' })).problem.code).toBe('validation_failed')
  const shown = await call(api.getOrder, { params: { id } }, { token: member.token })
  expect(shown.body).toMatchObject({ status: 'completed', fabQty: 100 })
})

test('an order sent back as read is accepted, and its dates stay the server’s', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { email: 'a@example.org' })
  const { body: read } = await call(api.getOrder, { params: { id } }, { token: finance.token })
  const body = { ...read, createdAt: '1999-01-01T00:00:00.000Z' }
  const { body: kept, status } = await call(api.updateOrder, { body }, { token: finance.token })
  expect(status).toBe(200)
  expect(kept).toEqual({ ...read, updatedAt: kept.updatedAt })
})

test('logs the changes of an order with old and new values, without email addresses and reasons', async () => {
  const { id } = await anOrder(started, customer.id)
  const ethAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  await call(
    api.updateOrder,
    { body: { _id: id, fabQty: '7766.5544', ethAddress, email: 'secret@example.org', reason: 'A reason' } },
    { token: finance.token },
  )
  const entries = await services.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('subject_id', '=', id)
    .execute()
  expect(entries).toMatchObject([
    {
      actor_id: finance.id,
      action: 'order-updated',
      detail: {
        status: 'pending',
        fields: ['email', 'ethAddress', 'fabQty'],
        changes: ['fabQty: – → 7766.5544', `ethAddress: – → ${ethAddress}`],
      },
    },
  ])
  expect(JSON.stringify(entries)).not.toMatch(/secret@|A reason/)
})

test.each<[string, string, string]>([
  ['ethAddress', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'address_checksum'],
  ['btcAddress', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'address_test_network'],
  ['btcAddress', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'address_wrong_chain'],
  ...wrongOwnAddresses.map(([text, problem]): [string, string, string] => ['fabAddress', text, problem]),
])('%s %s is refused: %s, whether a member or finance enters it', async (name, address, code) => {
  const given = { ...orderFields, [name]: address }
  expect((await place(await aBuyer(), given)).problem.errors).toMatchObject([{ path: name, code }])
  expect((await enter(given)).problem.errors).toMatchObject([{ path: name, code }])
})

test('finds an Ethereum address in any spelling', async () => {
  const member = await aSignedInMember(started)
  const checked = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
  const { id } = await anOrder(started, member.id, { ethAddress: checked })
  for (const ethAddress of [checked, checked.toLowerCase(), checked.slice(2), checked.slice(2).toUpperCase()])
    expect(
      (await call(api.findOrders, { body: { ethAddress } }, { token: reader.token })).body.map(
        ({ _id }) => _id,
      ),
    ).toEqual([id])
})

test('a record sent back as read loses no digit', async () => {
  const exact = '12345678901234567890.123456789012345678'
  const { id } = await anOrder(started, customer.id, { amount: exact, fabQty: exact })
  const { body: read } = await call(api.getOrder, { params: { id } }, { token: finance.token })
  const { body } = await call(
    api.updateOrder,
    { body: { ...read, payMethod: 'BTC', confirmsQuantity: true, reason: 'Paid in another coin.' } },
    { token: finance.token },
  )
  expect(body).toMatchObject({ exactAmount: exact, exactFabQty: exact, payMethod: 'BTC' })
})

test.each([
  ['pending', 'completed', true],
  ['pending', 'cancelled', true],
  ['pending', 'pending', true],
  ['completed', 'pending', false],
  ['completed', 'cancelled', false],
  ['cancelled', 'pending', false],
  ['cancelled', 'completed', false],
] as const)('an order may go from %s to %s: %s', (from, to, may) => {
  expect(canBecome(from, to)).toBe(may)
})
