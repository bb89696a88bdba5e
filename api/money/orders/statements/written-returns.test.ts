import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement } from '#tests/statements.ts'

/* A returned payment blocks its order, however the bank writes the amount, the status, and the reference. */

const started = await startApi({}, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: officer.token }
/* One person may import only a limited number of statements per hour. */
const importers = [
  officer,
  ...(await Promise.all([1, 2, 3].map(() => aSignedInMember(started, { manage_finance: 2 })))),
]
const today = new Date().toISOString().slice(0, 10)
const reason = 'Seen in the bank account.'
const blocked = { code: 'conflict', errors: [{ path: 'payment', code: 'unsettled' }] }

const update = (id: string, more: object) => call(api.updateOrder, { body: { _id: id, ...more } }, by)
const anUnpaid = async () => aBankOrder(started, await aSignedInMember(started))
async function aPaid() {
  const order = await anUnpaid()
  expect((await update(order.id, { paidAmount: '100', reason })).status).toBe(200)
  return order
}
type Order = Awaited<ReturnType<typeof anUnpaid>>
const detailOf = async ({ id }: Order) => (await call(api.getConsoleOrder, { params: { id } }, by)).body
const linesOf = async ({ id }: Order) =>
  (await call(api.listStatementLines, { query: { limit: 100 } }, by)).body.filter(
    ({ orderId }) => orderId === id,
  )
const assign = (id: string, { reference }: Order) =>
  call(api.assignStatementLine, { params: { id }, body: { reference, reason } }, by)

const withStatus: StatementMapping = {
  ...bankMapping,
  columns: { ...bankMapping.columns, status: 3, txId: 4 },
}
const withDirection: StatementMapping = { ...bankMapping, columns: { ...bankMapping.columns, direction: 3 } }

let count = 0
const csv = (...rows: string[]) =>
  [`Date;Amount;Purpose;Kind;Id ${(count += 1)}`, ...rows.map((row) => `${today};${row}`), ''].join('\n')
const camt = (fields: string, amount = '100') =>
  `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">${amount}</Amt>
  <CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today}</Dt></BookgDt>
  <AcctSvcrRef>Return ${(count += 1)}</AcctSvcrRef>${fields}</Ntry></Stmt></BkToCstmrStmt></Document>`

/** Imports a statement after checking that its preview shows the same. */
async function importing(text: string, mapping = bankMapping) {
  const importer = importers[count % importers.length]!
  const as = text.startsWith('<') ? undefined : mapping
  const { shown, done } = await importStatement(started, importer, text, as)
  const outcomeOf = ({ lines, problems, open }: typeof done) => ({
    recorded: lines.filter(({ effect }) => effect !== 'nothing').length,
    problems: problems.map(({ problem }) => problem),
    open,
  })
  expect(done.state).toBe('applied')
  expect(outcomeOf(shown)).toEqual(outcomeOf(done))
  return outcomeOf(done)
}

/** Expects that the order has an open line with a returned payment, which blocks the order and can't be assigned. */
async function expectReturned(order: Order) {
  const [line, ...others] = await linesOf(order)
  expect(line).toMatchObject({ problem: 'returned' })
  expect(others).toEqual([])
  expect((await detailOf(order)).flags).toContain('payment_returned')
  expect((await update(order.id, { status: 'completed' })).problem).toMatchObject(blocked)
  expect((await assign(line!.id, await anUnpaid())).problem.code).toBe('conflict')
}

test.each(['0.00', '0', '0.00 EUR', ''])(
  'the credit column of a debit is “%s”: the payment went back',
  async (credit) => {
    for (const order of [await aPaid(), await anUnpaid()]) {
      const { paidAmount } = await detailOf(order)
      const outcome = await importing(csv(`${credit};Return ${order.reference}`, '5;Other'))
      expect(outcome).toMatchObject({ recorded: 0, open: 2 })
      expect((await detailOf(order)).paidAmount).toBe(paidAmount)
      await expectReturned(order)
    }
  },
)

test('an amount of zero is no payment, and can’t be assigned as one', async () => {
  const order = await anUnpaid()
  const own = `reference,txId,amount,date,complete\n${order.reference},,0,,yes\n`
  const file = Buffer.from(own).toString('base64')
  const { body } = await call(api.importOrderPayments, { body: { file, seen: [] } }, by)
  expect(body).toMatchObject({ lines: [], problems: [{ problem: 'number' }], open: 1 })
  const credit = camt(
    `<NtryDtls><TxDtls><RmtInf><Ustrd>${order.reference}</Ustrd></RmtInf></TxDtls></NtryDtls>`,
    '0',
  )
  expect(await importing(credit.replace('DBIT', 'CRDT'))).toMatchObject({ recorded: 0, problems: ['number'] })
  const { body: open } = await call(api.listStatementLines, { query: { limit: 100 } }, by)
  for (const { id } of open.filter(({ reference }) => reference === order.reference))
    expect((await assign(id, order)).problem.code).toBe('conflict')
  expect((await detailOf(order)).paidAmount).toBeNull()
})

test.each([
  '-100.00',
  '100.00-',
  '(100.00)',
  '\u2013100.00',
  '100.00 DR',
  '100.00Dr.',
  '100,00 S',
  'EUR -100.00',
  '-EUR 100.00',
  '100.00- EUR',
  '€ -100.00',
])('a debit of “%s” returns the payment', async (amount) => {
  const order = await aPaid()
  const mapping = amount.includes(',') ? { ...bankMapping, numbers: 'comma' as const } : bankMapping
  expect(await importing(csv(`${amount};Return ${order.reference}`), mapping)).toMatchObject({ open: 1 })
  expect(await linesOf(order)).toMatchObject([{ amount: expect.stringMatching(/^-100([.]00)?$/) as string }])
  await expectReturned(order)
})

test.each([
  'Reversed',
  'REVERTED',
  'Returned',
  'Refunded',
  'Charged back',
  '已退款',
  '已冲正',
  '退款成功',
  'Rückgebucht',
])('a payment with the status “%s” went back', async (status) => {
  const recorded = await anUnpaid()
  const txId = `Transfer ${(count += 1)} of ${today}`
  await importing(csv(`100;${recorded.reference};Completed;${txId}`), withStatus)
  // The export repeats the row with its new status, with and without the reference.
  expect(await importing(csv(`100;;${status};${txId}`), withStatus)).toMatchObject({ problems: ['returned'] })
  await expectReturned(recorded)
  const paid = await aPaid()
  await importing(csv(`100;${paid.reference};${status};`), withStatus)
  await expectReturned(paid)
})

test.each(['Chargeback', 'Return', 'Reversal', 'Refund', 'Rückgabe', 'Rücklastschrift', '退款', '退汇'])(
  'a line with the direction “%s” returns the payment',
  async (direction) => {
    const order = await aPaid()
    await importing(csv(`100;${order.reference};${direction}`), withDirection)
    await expectReturned(order)
  },
)

test('a line with an unknown status or direction has the order that it names', async () => {
  for (const [mapping, problem] of [
    [withStatus, 'status'],
    [withDirection, 'direction'],
  ] as const) {
    const order = await aPaid()
    await importing(csv(`100;${order.reference};Whatever`), mapping)
    expect(await linesOf(order)).toMatchObject([{ problem }])
    expect((await detailOf(order)).flags).not.toContain('payment_returned')
  }
})

test.each([
  ['more cells than the header', ({ reference }: Order) => `-100;Return; ${reference};x;12;y`],
  ['a line break in a cell', ({ reference }: Order) => `-100;"Return\n${reference}";x;`],
  ['the reference in a column that isn’t mapped', ({ reference }: Order) => `-100;Return;x;${reference}`],
])('a debit with %s returns the payment', async (_, rowOf) => {
  const order = await aPaid()
  await importing(csv(rowOf(order), '5;Other;;'))
  await expectReturned(order)
})

test.each([
  ['wrapped after the first half', (r: string) => `Ruecklastschrift ${r.slice(0, 7)} ${r.slice(7)} SVWZ`],
  ['wrapped after a hyphen', (r: string) => `Return ${r.slice(0, 4)} ${r.slice(4)} x`],
  ['wrapped in the ticker', (r: string) => `Return ${r.slice(0, 2)} ${r.slice(2)} x`],
  ['with slashes', (r: string) => `Return ${r.replaceAll('-', '/')}`],
  ['with dots', (r: string) => `Return ${r.replaceAll('-', '.')}`],
  ['in small letters', (r: string) => `return ${r.toLowerCase()}`],
  ['followed by a code', (r: string) => `Return ${r}AC04`],
  ['between codes', (r: string) => `EREF+${r}ABWA+X`],
  [
    'in fullwidth characters',
    (r: string) =>
      `退回 ${r.replaceAll(/[\dA-F]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0))}`,
  ],
])('a return with the reference %s stops the order', async (_, textOf) => {
  const order = await aPaid()
  await importing(csv(`-100;${textOf(order.reference)}`))
  await expectReturned(order)
  const other = await aPaid()
  const text = `<NtryDtls><TxDtls><RmtInf><Ustrd>${textOf(other.reference)}</Ustrd></RmtInf></TxDtls></NtryDtls>`
  await importing(camt(text))
  await expectReturned(other)
})

const inDetails = (text: string) => `<NtryDtls><TxDtls>${text}</TxDtls></NtryDtls>`
test.each([
  ['AddtlTxInf', inDetails('<AddtlTxInf>Return @</AddtlTxInf>')],
  ['AddtlRmtInf', inDetails('<RmtInf><Strd><AddtlRmtInf>Return @</AddtlRmtInf></Strd></RmtInf>')],
  ['RfrdDocInf', inDetails('<RmtInf><Strd><RfrdDocInf><Nb>@</Nb></RfrdDocInf></Strd></RmtInf>')],
  ['InstrId', inDetails('<Refs><InstrId>@</InstrId></Refs>')],
  ['AddtlNtryInf', '<AddtlNtryInf>Return @</AddtlNtryInf>'],
])('a return with the reference in %s stops the order', async (_, fields) => {
  const order = await aPaid()
  await importing(camt(fields.replace('@', order.reference)))
  await expectReturned(order)
})

test('a return with the reference in RtrInf is the reversal of the order’s payment', async () => {
  const order = await aPaid()
  await importing(camt(inDetails(`<RtrInf><AddtlInf>${order.reference}</AddtlInf></RtrInf>`)))
  expect(await linesOf(order)).toMatchObject([{ problem: 'reversal' }])
  expect((await update(order.id, { status: 'completed' })).problem).toMatchObject(blocked)
})

test('a booking of many returns stops each order, however long its text is', async () => {
  const orders = [await aPaid(), await aPaid()]
  const returns = orders.map(
    ({ reference }) => `<TxDtls><RmtInf><Ustrd>${'Return '.repeat(80)}${reference}</Ustrd></RmtInf></TxDtls>`,
  )
  await importing(camt(`<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>${returns.join('')}</NtryDtls>`, '200'))
  for (const order of orders) expect((await detailOf(order)).flags).toContain('payment_returned')
})

test('a payment with a second reference at the end of a long text is ambiguous', async () => {
  const [first, second] = [await anUnpaid(), await anUnpaid()]
  const text = `${first.reference} ${'and '.repeat(150)}${second.reference}`
  expect(await importing(csv(`200;${text}`))).toMatchObject({ recorded: 0, problems: ['ambiguous'] })
})

test('a payment is recorded only for an order whose reference is written as we show it', async () => {
  const order = await anUnpaid()
  expect(await importing(csv(`100;Order ${order.reference.replaceAll('-', '/')}`))).toMatchObject({
    recorded: 0,
    problems: ['unknown_order'],
  })
})

test('the return of an earlier transaction blocks the order, even if another one replaced it', async () => {
  const order = await anUnpaid()
  const [first, second] = [`Transfer A ${order.reference}`, `Transfer B ${order.reference}`]
  await update(order.id, { txId: first })
  expect((await update(order.id, { txId: second, reason })).status).toBe(200)
  await update(order.id, { paidAmount: '100', reason })
  expect((await detailOf(order)).flags).not.toContain('payment_returned')
  await importing(csv(`-100;Other;;${first}`), withStatus)
  expect((await detailOf(order)).flags).toContain('payment_returned')
  expect((await update(order.id, { status: 'completed' })).problem).toMatchObject(blocked)
  const listed = await call(api.listConsoleOrders, { query: { flag: 'payment_returned' } }, by)
  expect(listed.body.map(({ id }) => id)).toContain(order.id)
})
