import { shownReference } from '../../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { statementMapping, type StatementMapping } from '#contract/money/statements.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi, staffDecides } from '#tests/setup/start-api.ts'

/* A mapping decides which payments are completed, in which currency, and who is responsible for it. */

const started = await startApi({ ...staffDecides, WITHDRAWAL_DAYS: '14' }, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const member = await aSignedInMember(started)
const today = new Date().toISOString().slice(0, 10)

async function anUnpaid(owner = member) {
  const { id, reference } = await anOrder(started, owner.id, {
    payMethod: 'Bank',
    currency: 'EUR',
    fabQty: '9000',
    amount: '1000',
  })
  return { id, reference: shownReference(reference) }
}
type Body = { mapping?: StatementMapping; by?: typeof officer }
const send = (text: string, body: object, { by = officer, mapping }: Body = {}) =>
  call(
    api.importOrderPayments,
    { body: { file: Buffer.from(text).toString('base64'), ...(mapping && { mapping }), ...body } },
    { token: by.token },
  )
const preview = async (text: string, given?: Body) => (await send(text, {}, given)).body
async function importing(text: string, given?: Body) {
  const shown = await preview(text, given)
  const seen = shown.lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  return (await send(text, { seen, preview: shown.preview }, given)).body
}
const paidOf = async (id: string) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token: officer.token })).body.paidAmount
const openLine = async (reference: string) => {
  const { body } = await call(api.listStatementLines, { query: { limit: 100 } }, { token: officer.token })
  return body.find((line) => line.reference.includes(reference))!
}

let statements = 0
/** Returns a statement with a unique heading, so that tests don't share mappings. */
const csv = (heading: string, ...rows: string[]) =>
  [`${heading},Date${(statements += 1)}`, ...rows.map((row) => `${row},${today}`), ''].join('\n')

test.each([
  ['State', 'PENDING'],
  ['State', 'FAILED'],
  ['State', 'DECLINED'],
  ['Status', 'Failed'],
  ['Info', 'Umsatz vorgemerkt'],
  ['状态', '处理中'],
  ['Status', ''],
  ['Status', 'Not completed'],
  ['Zustand', 'vorgemerkt'],
])('a payment whose column %s says %j becomes an open line', async (column, status) => {
  const order = await anUnpaid()
  const text = csv(
    `Date,Description,Amount,Currency,${column}`,
    `${today},${order.reference},1000.00,EUR,${status}`,
  )
  const { mapping } = await preview(text)
  expect(mapping?.columns.status).toBe(4)
  const done = await importing(text, { mapping: statementMapping.parse(mapping) })
  expect(done).toMatchObject({ lines: [], open: 1, problems: [{ problem: 'status', value: status }] })
  expect(await paidOf(order.id)).toBeNull()
})

test.each([
  ['State', 'COMPLETED'],
  ['Status', 'Success'],
  ['Status', 'Deposit_Completed'],
  ['Info', 'Umsatz gebucht'],
  ['Buchungsstatus', 'gebucht'],
  ['交易状态', '交易成功'],
  ['状态', '已到账'],
])('a payment whose column %s says %j is recorded', async (column, status) => {
  const order = await anUnpaid()
  const text = csv(
    `Date,Description,Amount,Currency,${column}`,
    `${today},${order.reference},1000.00,EUR,${status}`,
  )
  const { mapping } = await preview(text)
  expect((await importing(text, { mapping: statementMapping.parse(mapping) })).lines).toMatchObject([
    { id: order.id },
  ])
  expect(await paidOf(order.id)).toBe('1000')
})

test('remembers the status column', async () => {
  const [first, second] = [await anUnpaid(), await anUnpaid()]
  const heading = `Date,Description,Amount,Currency,State,${'x'.repeat((statements += 1))}`
  const row = (reference: string, state: string) =>
    `${heading}\n${today},${reference},1000.00,EUR,${state},\n`
  const text = row(first.reference, 'COMPLETED')
  await importing(text, { mapping: statementMapping.parse((await preview(text)).mapping) })
  expect(await importing(row(second.reference, 'FAILED'), { by: colleague })).toMatchObject({
    problems: [{ problem: 'status' }],
  })
})

test('records a pending payment once it is completed, and the dismissed line stays dismissed', async () => {
  const order = await anUnpaid()
  const heading = `Date,Description,Amount,Currency,State,${'x'.repeat((statements += 1))}`
  const text = (state: string) => `${heading}\n${today},${order.reference},1000.00,EUR,${state},\n`
  await importing(text('PENDING'), {
    mapping: statementMapping.parse((await preview(text('PENDING'))).mapping),
  })
  const { id } = await openLine(order.reference)
  const given = { params: { id }, body: { reason: 'Only announced.' } }
  expect((await call(api.dismissStatementLine, given, { token: officer.token })).status).toBe(200)
  expect(await preview(text('PENDING'))).toMatchObject({ open: 0, duplicates: 1, problems: [] })
  expect((await importing(text('COMPLETED'))).lines).toMatchObject([{ id: order.id }])
})

const plain = { columns: { reference: 0, amount: 1, date: 2 }, numbers: 'point', dates: 'iso' } as const

test('a file without a currency column needs one in its mapping', async () => {
  const [order, other] = [await anUnpaid(), await anUnpaid()]
  const text = csv('Purpose,Sum', `${order.reference},1000.00`)
  expect((await send(text, {}, { mapping: plain })).problem.errors).toMatchObject([
    { path: 'mapping', code: 'required' },
  ])
  expect(await preview(text, { mapping: { ...plain, currency: 'JPY' } })).toMatchObject({
    problems: [{ problem: 'currency', value: 'JPY' }],
  })
  expect((await importing(text, { mapping: { ...plain, currency: 'eur' } })).lines).toMatchObject([
    { id: order.id },
  ])
  // The currency is remembered along with the columns.
  const next = text.replace(order.reference, other.reference)
  expect(await preview(next, { by: colleague })).toMatchObject({
    state: 'checked',
    lines: [{ id: other.id }],
  })
})

test('a line with an empty currency cell becomes an open line', async () => {
  const order = await anUnpaid()
  const mapping: StatementMapping = { ...plain, columns: { reference: 0, amount: 1, currency: 2, date: 3 } }
  const text = csv('Purpose,Sum,Currency', `${order.reference},1000.00,`)
  expect(await importing(text, { mapping })).toMatchObject({
    lines: [],
    problems: [{ column: 'currency', problem: 'required' }],
  })
})

test('a preview names the colleague who mapped the columns', async () => {
  const text = csv('Purpose,Sum', `${(await anUnpaid()).reference},1000.00`)
  const mapping = { ...plain, currency: 'EUR' }
  expect((await preview(text, { mapping })).mappedBy).toBeNull()
  await importing(text, { mapping })
  const { mappedBy } = await preview(text, { by: colleague })
  expect(mappedBy?.name).toBe(officer.email)
  expect(Date.parse(mappedBy!.at)).toBeGreaterThan(Date.now() - 60_000)
})

test('an open line keeps its values when someone imports it with another mapping', async () => {
  const text = csv('Purpose,Sum,Fee', 'Somebody’s payment,1000.00,2000.00')
  const mapping = { ...plain, currency: 'EUR' }
  await importing(text, { mapping, by: colleague })
  const again = { ...mapping, columns: { reference: 0, amount: 2 } }
  expect(await importing(text, { mapping: again })).toMatchObject({ open: 0, duplicates: 1, problems: [] })
  const line = await openLine('Somebody’s payment')
  expect(line).toMatchObject({ amount: '1000.00', importedBy: [colleague.email] })
})

test('the importer of a line cannot refund alone what a colleague assigned from it', async () => {
  const payer = await aSignedInMember(started)
  const order = await anUnpaid(payer)
  await importing(csv('Purpose,Sum', 'For my tokens,1000.00'), { mapping: { ...plain, currency: 'EUR' } })
  const line = await openLine('For my tokens')
  const assigned = await call(
    api.assignStatementLine,
    { params: { id: line.id }, body: { reference: order.reference, reason: 'The sender is the member.' } },
    { token: colleague.token },
  )
  expect(assigned.status).toBe(200)
  const asked = await call(
    api.requestWithdrawal,
    { params: { id: order.id }, body: { refundAddress: 'DE02 1203 0000 0000 2020 51' } },
    { token: payer.token },
  )
  const params = { id: asked.body.id }
  await call(api.acceptWithdrawal, { params, body: {} }, { token: officer.token })
  const refund = async (by: typeof officer, txId: string) => {
    const body = { amount: '1000', txId, paidOn: today, reason: 'Sent back.' }
    return (await call(api.recordRefund, { params, body }, { token: by.token })).body.state
  }
  expect(await refund(officer, 'Transfer 1')).toBe('accepted')
  // The officer who assigned it can't refund alone either, but someone else can.
  expect(await refund(colleague, 'Transfer 2')).toBe('accepted')
  const third = await aSignedInMember(started, { manage_finance: 2 })
  expect(await refund(third, 'Transfer 3')).toBe('refunded')
})

test('a mapping cannot decide about an order of the colleague who stored it, whoever uses it', async () => {
  const [own, other] = [await anUnpaid(officer), await anUnpaid()]
  const mapping = { ...plain, columns: { reference: 0, amount: 2, date: 3 }, currency: 'EUR' }
  const heading = 'Purpose,Sum,Left'
  const rows = [
    `${own.reference},0.01,1000.00`,
    `${other.reference},0.01,1000.00`,
    'For my tokens,0.01,1000.00',
  ]
  const [first, ...rest] = csv(heading, 'Interest,0.01,0.02').split('\n')
  await importing([first, ...rest].join('\n'), { mapping })
  const text = [first, ...rows.map((row) => `${row},${today}`), ''].join('\n')
  const done = await importing(text, { by: colleague })
  expect(done.problems[0]).toMatchObject({ column: 'reference', problem: 'mapped_by_owner' })
  expect([await paidOf(own.id), await paidOf(other.id)]).toEqual([null, '1000'])
  // Using a stored mapping doesn't make someone its author.
  expect((await preview(text, { by: colleague })).mappedBy?.name).toBe(officer.email)
  const line = await openLine('For my tokens')
  expect(line.importedBy).toEqual([colleague.email, officer.email])
  const third = await aSignedInMember(started, { manage_finance: 2 })
  const assigned = await call(
    api.assignStatementLine,
    { params: { id: line.id }, body: { reference: own.reference, reason: 'The sender is the member.' } },
    { token: third.token },
  )
  expect(assigned.problem.code).toBe('forbidden')
})

test.each([
  ['100 JPY', 'JPY'],
  ['100JPY', 'JPY'],
  ['JPY 100', 'JPY'],
  ['¥100', '¥'],
  ['₩100', '₩'],
  ['100 BTC', 'BTC'],
  ['EUR 100 JPY', 'JPY'],
])('an amount written as %s is not recorded in euros', async (written, currency) => {
  const [first, second] = [await anUnpaid(), await anUnpaid()]
  const perFile = csv('Purpose,Sum', `${first.reference},${written}`)
  const perLine = csv('Purpose,Sum,Currency', `${second.reference},${written},EUR`)
  const byColumn = { ...plain, columns: { reference: 0, amount: 1, currency: 2, date: 3 } }
  for (const done of [
    await importing(perFile, { mapping: { ...plain, currency: 'EUR' } }),
    await importing(perLine, { mapping: byColumn }),
  ])
    expect(done).toMatchObject({
      lines: [],
      problems: [{ column: 'amount', problem: 'amount_currency', value: currency }],
    })
  const line = await openLine(first.reference)
  expect(line).toMatchObject({ amount: '100', currency })
  const params = { id: line.id }
  const body = { reference: first.reference, reason: 'The sender is the member.' }
  const assigned = await call(api.assignStatementLine, { params, body }, { token: colleague.token })
  expect(assigned.problem.errors).toMatchObject([{ path: 'reference', code: 'other_currency' }])
  expect([await paidOf(first.id), await paidOf(second.id)]).toEqual([null, null])
})

test.each(['EUR 1,000.00', '1,000.00 EUR', '€1,000.00', '+1,000.00EUR'])(
  'an amount written as %s is recorded in euros',
  async (written) => {
    const order = await anUnpaid()
    const text = `Purpose;Sum;Date${(statements += 1)}\n${order.reference};${written};${today}\n`
    expect((await importing(text, { mapping: { ...plain, currency: 'EUR' } })).lines).toMatchObject([
      { id: order.id, amount: '1000' },
    ])
  },
)
