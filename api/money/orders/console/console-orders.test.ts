import { randomUUID } from 'node:crypto'
import brand from '#content/brand.json' with { type: 'json' }
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { OrderFilters } from '#contract/money/console-orders.ts'
import { anOrder, aSignedInMember, proveIdentity } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import type { OrderChange } from '../order.queries.ts'

const started = await startApi({ CHAIN_ETH_EXPLORER: 'https://explorer.example/' }, afterAll)
const { call, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2, display_name: 'Ada' })
const reader = await aSignedInMember(started, { manage_finance: 1 })
const buyer = await aSignedInMember(started)
const tx = (digit: string) => `0x${digit.repeat(64)}`

async function placed(day: string, change: OrderChange, columns: object = {}) {
  const { id, reference } = await anOrder(started, buyer.id, { payMethod: 'ETH', currency: 'ETH', ...change })
  await services.db
    .updateTable('token_order')
    .set({ created_at: new Date(`${day}T12:00:00Z`), ...columns })
    .where('id', '=', id)
    .execute()
  return { id, reference }
}
const a = await placed('2026-03-01', { amount: '2', fabQty: '8001', rate: '4000.5', txId: tx('a') })
const b = await placed('2026-03-02', { amount: '0.1', fabQty: '0.30000001' })
const c = await placed(
  '2026-03-02',
  { amount: '0.2', fabQty: '0.1', currency: 'BTC', payMethod: 'BTC' },
  { created_at: new Date('2026-03-02T13:00:00Z') },
)
const d = await placed('2026-03-03', { amount: null, payMethod: 'bank transfer', currency: null })
const e = await placed('2026-03-04', { amount: '10', status: 'cancelled', txId: tx('e'), reportedLate: true })
await services.db
  .updateTable('token_order')
  .set({ pay_before: new Date('2026-03-05T00:00:00Z') })
  .where('id', 'in', [a.id, b.id])
  .execute()
const names = new Map([a, b, c, d, e].map(({ id }, at) => [id, 'abcde'[at]!]))

const list = async (query: OrderFilters & { limit?: number; after?: string }) => {
  const answer = await call(api.listConsoleOrders, { query }, { token: reader.token })
  expect(answer.status).toBe(200)
  return answer
}
const found = async (query: OrderFilters) =>
  (await list(query)).body.map(({ id }) => names.get(id) ?? '?').join('')

test.each<[OrderFilters, string]>([
  [{}, 'edcba'],
  [{ sort: 'placed' }, 'abcde'],
  [{ sort: '-amount' }, 'eacbd'],
  [{ sort: 'amount' }, 'dbcae'],
  [{ status: 'cancelled' }, 'e'],
  [{ flag: 'payment_reported' }, 'a'],
  [{ flag: 'reported_late' }, 'e'],
  [{ flag: 'disputed' }, ''],
  [{ flag: 'shares_transaction' }, ''],
  [{ flag: 'second_person' }, ''],
  [{ coin: 'btc' }, 'c'],
  [{ coin: 'Bank' }, ''],
  [{ from: '2026-03-02', to: '2026-03-03' }, 'dcb'],
  [{ min: '0.2', max: '2' }, 'ca'],
  [{ max: '0.1' }, 'b'],
  [{ q: tx('A').toUpperCase() }, 'a'],
  [{ q: 'nobody@example.org' }, ''],
  [{ q: "'; drop table token_order; --" }, ''],
  [{ q: '%' }, ''],
])('the list by %o', async (query, expected) => {
  expect(await found(query)).toBe(expected)
})

test('finds orders by a reference prefix and by member', async () => {
  const [{ reference } = { reference: '' }] = (await list({ q: tx('a') })).body
  expect(await found({ q: reference })).toBe('a')
  expect(await found({ q: reference.toLowerCase() })).toBe('a')
  expect(await found({ q: reference.slice(0, -2) })).toBe('a')
  expect(await found({ q: buyer.email.toUpperCase(), status: 'cancelled' })).toBe('e')
})

test('finds orders by a reference in which letters were typed for digits', async () => {
  await services.db
    .updateTable('token_order')
    .set({ reference: '01ABCDEF01' })
    .where('id', '=', b.id)
    .execute()
  for (const q of [`${brand.ticker}-OIABC-DEF0I`, 'oiabcdef0', `${brand.ticker}-0lab`])
    expect(await found({ q })).toBe('b')
  expect(await found({ q: 'oil' })).toBe('')
})

test('finds orders by any address of the member, in any spelling', async () => {
  const eth = '0x52908400098527886E0F7030069857D2E4169EE7'
  const btc = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  const set = (id: string, columns: { fab_address?: string; btc_address?: string; eth_address?: string }) =>
    services.db.updateTable('token_order').set(columns).where('id', '=', id).execute()
  await set(b.id, { fab_address: eth })
  await set(c.id, { eth_address: eth.toLowerCase() })
  await set(d.id, { btc_address: btc })
  await services.db
    .insertInto('order_withdrawal')
    .values({
      order_id: e.id,
      state: 'requested',
      until_at: new Date(),
      refund_before: new Date(),
      refund_address: btc,
    })
    .execute()
  expect(await found({ q: eth.toUpperCase() })).toBe('cb')
  expect(await found({ q: ` ${btc.toUpperCase()} ` })).toBe('ed')
  expect(await found({ q: eth.slice(0, -1) })).toBe('')
})

test.each(['placed', '-placed', 'amount', '-amount', 'deadline', '-deadline'] as const)(
  'pages by %s contain every order once',
  async (sort) => {
    const whole = (await list({ sort })).body.map(({ id }) => id)
    const seen: string[] = []
    let after: string | undefined
    do {
      const { body, headers } = await list({ sort, limit: 2, ...(after && { after }) })
      seen.push(...body.map(({ id }) => id))
      after = /after=([^&>]+)/.exec(headers['link'] as string)?.[1]
    } while (after)
    expect(seen).toEqual(whole)
    expect(whole).toHaveLength(5)
  },
)

test.each(['x', 'WyJ4IiwieSJd', Buffer.from('["9999-99-99T00:00:00","a"]').toString('base64url')])(
  'an invalid cursor starts at the beginning: %s',
  async (after) => {
    expect((await list({ after })).body).toHaveLength(5)
  },
)

test('a cursor of another sort order is no error', async () => {
  const { headers } = await list({ sort: 'amount', limit: 1 })
  const after = /after=([^&>]+)/.exec(headers['link'] as string)![1]!
  expect((await list({ sort: 'placed', after })).body).toHaveLength(5)
})

test('rejects invalid days and amounts by name', async () => {
  const query = { from: '2026-02-30', min: '1e5', sort: 'member' } as unknown as OrderFilters
  const { status, problem } = await call(api.listConsoleOrders, { query }, { token: reader.token })
  expect(status).toBe(400)
  expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(['from', 'min', 'sort'])
})

test('sums are exact, by day, status, and coin', async () => {
  const { body } = await call(
    api.readOrderTotals,
    { query: { from: '2026-03-01', to: '2026-03-04' } },
    { token: reader.token },
  )
  expect(body.rows).toHaveLength(5)
  await placed('2026-03-02', { amount: '0.2', fabQty: '0.3' })
  const { body: more } = await call(
    api.readOrderTotals,
    { query: { from: '2026-03-02', to: '2026-03-02' } },
    { token: reader.token },
  )
  expect(more.rows).toContainEqual({
    day: '2026-03-02',
    status: 'pending',
    currency: 'ETH',
    count: 2,
    amount: '0.3',
    quantity: '0.60000001',
  })
  await services.db.deleteFrom('token_order').where('fab_qty', '=', '0.3').execute()
})

test('totals cover 30 days by default, and a year at most', async () => {
  const { body } = await call(api.readOrderTotals, {}, { token: reader.token })
  expect((Date.parse(body.to) - Date.parse(body.from)) / 86_400_000).toBe(29)
  for (const query of [
    { from: '2024-01-01', to: '2026-01-01' },
    { from: '2026-01-02', to: '2026-01-01' },
  ])
    expect((await call(api.readOrderTotals, { query }, { token: reader.token })).status).toBe(400)
})

const linesOf = async (
  endpoint: 'exportOrderAccounts' | 'exportConsoleOrders',
  query: OrderFilters,
  by = finance,
) => {
  const answer = await started.send({
    method: 'GET',
    url: `/v2/${api[endpoint].path}?${new URLSearchParams(query as Record<string, string>)}`,
    headers: { 'x-app-id': services.config.appId, 'x-access-token': by.token },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toContain('text/csv')
  return answer.body.split('\r\n')
}

test('the accounting file has one exact line per order, with who completed it', async () => {
  await call(
    api.updateOrder,
    { body: { _id: a.id, paidAmount: '1.5', status: 'completed', reason: 'Fees.' } },
    { token: finance.token },
  )
  const [head, line, ...rest] = await linesOf('exportOrderAccounts', { status: 'completed' })
  expect(head?.replace('\uFEFF', '')).toBe(
    'reference,id,state,payMethod,coin,amountDue,amountReceived,difference,rate,quantity,txId,placedAt,receivedAt,completedAt,completedBy,proposedBy,cancelledAt',
  )
  const cells = line!.split(',')
  expect(cells.slice(1, 12)).toEqual([
    a.id,
    'completed',
    'ETH',
    'ETH',
    '2',
    '1.5',
    '-0.5',
    '4000.5',
    '8001',
    tx('a'),
    '2026-03-01T12:00:00.000Z',
  ])
  expect(cells[13]).toMatch(/^\d{4}-.*Z$/)
  // Members can choose any display name.
  expect(cells.slice(14)).toEqual([finance.email, '', ''])
  expect(rest).toEqual([''])
})

test('the exported list has its filters, all pages, and no formulas', async () => {
  const { id } = await placed('2026-03-06', { payMethod: '=cmd()', currency: null })
  const lines = await linesOf('exportConsoleOrders', { from: '2026-03-02' })
  expect(lines).toHaveLength(1 + 5 + 1)
  expect(lines[1]).toContain(",'=cmd(),")
  await services.db.deleteFrom('token_order').where('id', '=', id).execute()
})

test('exports need step-up authentication, and access is logged', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 1 })
  const of = { token: officer.token }
  await call(api.getConsoleOrder, { params: { id: b.id } }, of)
  const lines = await linesOf('exportOrderAccounts', { status: 'pending' }, officer)
  const entries = await services.db
    .selectFrom('audit_entry')
    .select(['action', 'subject_id', 'detail'])
    .where('actor_id', '=', officer.id)
    .orderBy('id')
    .execute()
  const status = 'pending'
  expect(entries).toEqual([
    { action: 'order-viewed', subject_id: b.id, detail: {} },
    { action: 'order-listed', subject_id: null, detail: { status } },
    // Once the file is sent, its number of rows is known.
    { action: 'order-listed', subject_id: null, detail: { status, count: lines.length - 2 } },
  ])
  await letProofAge(started, officer)
  for (const name of ['exportConsoleOrders', 'exportOrderAccounts'] as const)
    expect((await call(api[name], {}, of)).problem.code).toBe('step_up_required')
})

test('an order’s page names the other orders with its transaction', async () => {
  const other = await aSignedInMember(started)
  const { id } = await anOrder(started, other.id)
  await call(api.reportPayment, { params: { id }, body: { txId: tx('e') } }, { token: other.token })
  const { body } = await call(api.getConsoleOrder, { params: { id } }, { token: reader.token })
  expect(body).toMatchObject({
    order: { disputed: true },
    sameTransaction: [{ id: e.id, status: 'cancelled' }],
  })
  expect(await found({ q: tx('e'), status: 'cancelled' })).toBe('e')
  expect((await list({ q: tx('e') })).body).toHaveLength(2)
})

test('an order’s page shows the member’s identity status and the block explorer of the coin', async () => {
  const owner = await aSignedInMember(started)
  const read = async (id: string) => {
    const { body } = await call(api.getConsoleOrder, { params: { id } }, { token: reader.token })
    return { kyc: body.kyc, explorer: body.explorer }
  }
  const inEther = await anOrder(started, owner.id, { payMethod: 'ETH', currency: 'ETH' })
  const inBitcoin = await anOrder(started, owner.id, { payMethod: 'BTC', currency: 'BTC' })
  expect(await read(inEther.id)).toEqual({ kyc: 'none', explorer: 'https://explorer.example' })
  await proveIdentity(started, owner)
  expect(await read(inBitcoin.id)).toEqual({ kyc: 'approved', explorer: null })
})

test('adds up the orders of a member by status and coin', async () => {
  const member = await aSignedInMember(started)
  for (const [status, columns] of [
    ['completed', { amount: '1.5', fab_qty: '6000.75', paid_amount: '1.6' }],
    ['completed', { amount: '0.50000001', fab_qty: '2000', paid_amount: '0.4', currency: null }],
    ['cancelled', { amount: '0.1', fab_qty: '1', currency: 'BTC', pay_method: 'BTC' }],
  ] as const)
    await services.db
      .insertInto('token_order')
      .values({ member_id: member.id, status, currency: 'ETH', pay_method: 'ETH', ...columns })
      .execute()
  const totals = (id: string) => call(api.readMemberOrderTotals, { params: { id } }, { token: reader.token })
  expect((await totals(member.id)).body).toEqual([
    {
      status: 'completed',
      currency: 'ETH',
      count: 2,
      amount: '2.00000001',
      received: '2',
      quantity: '8000.75',
    },
    { status: 'cancelled', currency: 'BTC', count: 1, amount: '0.1', received: '0', quantity: '1' },
  ])
  expect((await totals(reader.id)).body).toEqual([])
  expect((await totals(randomUUID())).status).toBe(404)
})
