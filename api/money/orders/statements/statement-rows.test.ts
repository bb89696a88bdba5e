import { shownReference } from '../../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { linesAbout } from '#tests/statements.ts'

/* Rows that don't state the amount of a single completed payment. Tokens are sent for recorded payments. */

const started = await startApi({}, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const member = await aSignedInMember(started)
const today = new Date().toISOString().slice(0, 10)

async function anUnpaid(amount: string) {
  const { id, reference } = await anOrder(started, member.id, {
    payMethod: 'Bank',
    currency: 'EUR',
    fabQty: '9000',
    amount,
  })
  return { id, reference: shownReference(reference) }
}

/** Imports a statement, and returns what was recorded and why the other lines weren't. */
async function importing(text: string, mapping?: StatementMapping) {
  const body = { file: Buffer.from(text).toString('base64'), ...(mapping && { mapping }) }
  const by = { token: officer.token }
  const shown = (await call(api.importOrderPayments, { body }, by)).body
  const seen = shown.lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  const done = (await call(api.importOrderPayments, { body: { ...body, seen } }, by)).body
  return {
    state: done.state,
    recorded: done.lines.map(({ id, amount }) => `${id} ${amount}`),
    problems: done.problems.map(({ problem }) => problem),
    ignored: done.ignored,
    pending: done.pending,
  }
}
const nothing = { state: 'applied', recorded: [], problems: [], ignored: 0, pending: 0 }
const paidOf = async (...ids: string[]) => {
  const rows = await services.db
    .selectFrom('token_order')
    .select(['id', 'paid_amount'])
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => rows.find((row) => row.id === id)?.paid_amount)
}
const openLine = async (reference: string) => {
  const { body } = await call(api.listStatementLines, { query: { limit: 100 } }, { token: officer.token })
  return body.find((line) => line.reference.includes(reference))!
}
const assign = (id: string, reference: string) =>
  call(
    api.assignStatementLine,
    { params: { id }, body: { reference, reason: 'The sender is the member.' } },
    { token: officer.token },
  )

type Entry = { amount: string; direction?: 'CRDT' | 'DBIT'; more?: string; details?: string; status?: string }
const camt = (...entries: Entry[]) =>
  `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt>${entries
    .map(
      ({ amount, direction = 'CRDT', more = '', details = '', status = '<Cd>BOOK</Cd>' }) =>
        `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>${more}<Sts>${status}</Sts>
      <BookgDt><Dt>${today}</Dt></BookgDt><NtryDtls>${details}</NtryDtls></Ntry>`,
    )
    .join('')}</Stmt></BkToCstmrStmt></Document>`
const payment = (reference: string, amount = '') =>
  `<TxDtls>${amount}<RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls>`
const euro = (amount: string, currency = 'EUR') => `<Amt Ccy="${currency}">${amount}</Amt>`

test.each([
  ['no amounts', '', ''],
  ['one amount missing', euro('1000'), ''],
  ['amounts that do not add up to it', euro('10000'), euro('1')],
  ['amounts in another currency', euro('1000', 'USD'), euro('2000', 'USD')],
])('leaves a booking of several payments with %s to a person', async (_, one, two) => {
  const [first, second] = [await anUnpaid('1000'), await anUnpaid('2000')]
  const details = payment(first.reference, one) + payment(second.reference, two)
  expect(await importing(camt({ amount: '3000.00', details }))).toMatchObject({
    recorded: [],
    problems: ['several_payments'],
  })
  const line = await openLine(first.reference)
  expect(line.reference).toContain(second.reference)
  // The sum isn't a single payment, so it can't be assigned to one order.
  expect((await assign(line.id, first.reference)).problem.code).toBe('conflict')
  expect(await paidOf(first.id, second.id)).toEqual([null, null])
})

test('leaves a booking of several payments with only one named to a person', async () => {
  const order = await anUnpaid('1000')
  const details = `<Btch><NbOfTxs>2</NbOfTxs></Btch>${payment(order.reference)}`
  expect((await importing(camt({ amount: '3000.00', details }))).problems).toEqual(['several_payments'])
  expect(await paidOf(order.id)).toEqual([null])
})

test('does not split a booking of more payments than the bank lists', async () => {
  const [first, second] = [await anUnpaid('1000'), await anUnpaid('2000')]
  const parts = payment(first.reference, euro('1000')) + payment(second.reference, euro('2000'))
  const details = `<Btch><NbOfTxs>3</NbOfTxs></Btch>${parts}`
  expect((await importing(camt({ amount: '3000.00', details }))).problems).toEqual(['several_payments'])
})

test('records each payment of a booking whose amounts add up', async () => {
  const [first, second] = [await anUnpaid('1000'), await anUnpaid('2000')]
  const details = payment(first.reference, euro('1000.00')) + payment(second.reference, euro('2000'))
  expect((await importing(camt({ amount: '3000.00', details }))).problems).toEqual([])
  expect((await paidOf(first.id, second.id)).map(Number)).toEqual([1000, 2000])
})

test('a payment that names two orders in structured references is ambiguous', async () => {
  const [first, second] = [await anUnpaid('1000'), await anUnpaid('2000')]
  const strd = ({ reference }: typeof first) =>
    `<Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd>`
  const details = `<TxDtls><RmtInf>${strd(first)}${strd(second)}</RmtInf></TxDtls>`
  expect((await importing(camt({ amount: '3000.00', details }))).problems).toEqual(['ambiguous'])
})

test.each(['true', '1'])(
  'leaves a reversal, marked as %s, and the reversed payment to a person',
  async (mark) => {
    const order = await anUnpaid('1000')
    const details = payment(order.reference)
    const more = `<RvslInd>${mark}</RvslInd>`
    const file = camt({ amount: '1000.00', details }, { amount: '1000', direction: 'DBIT', more, details })
    expect(await importing(file)).toMatchObject({
      recorded: [],
      problems: ['returned', 'reversal'],
      ignored: 0,
    })
    expect(await paidOf(order.id)).toEqual([null])
  },
)

test('a reversal that names no order may concern any payment of its amount', async () => {
  const [order, other] = [await anUnpaid('1000'), await anUnpaid('2000')]
  const more = '<RvslInd>true</RvslInd>'
  const file = camt(
    { amount: '1000.00', details: payment(order.reference) },
    { amount: '2000.00', details: payment(other.reference) },
    { amount: '1000.00', direction: 'DBIT', more },
  )
  expect(await importing(file)).toMatchObject({ problems: ['returned', 'reversal'] })
  expect((await paidOf(order.id, other.id)).map(Number)).toEqual([0, 2000])
})

test('a reversal in a later statement becomes an open line that can’t be assigned', async () => {
  const order = await anUnpaid('1000')
  const details = payment(order.reference)
  await importing(camt({ amount: '1000.00', details }))
  const more = '<RvslInd>true</RvslInd>'
  expect(await importing(camt({ amount: '1000.00', direction: 'DBIT', more, details }))).toMatchObject({
    problems: ['reversal'],
  })
  expect((await assign((await openLine(order.reference)).id, order.reference)).problem.code).toBe('conflict')
})

test('entries that aren’t booked yet are ignored and counted, and recorded once they are booked', async () => {
  const [order, other] = [await anUnpaid('1000'), await anUnpaid('2000')]
  const details = payment(order.reference)
  const booked = { amount: '2000', details: payment(other.reference) }
  const pending = ['PDNG', '<Cd>FUTR</Cd>', '<Cd>INFO</Cd>'].map((status) => ({
    amount: '1000',
    details,
    status,
  }))
  const debit = { amount: '1000', details, status: '<Cd>PDNG</Cd>', direction: 'DBIT' } as const
  expect(await importing(camt(...pending, debit))).toEqual({ ...nothing, pending: 4 })
  expect(await importing(camt(...pending, booked))).toEqual({
    ...nothing,
    recorded: [`${other.id} 2000`],
    pending: 3,
  })
  expect(await paidOf(order.id)).toEqual([null])
  expect(await linesAbout(started, officer, order.reference)).toEqual([])
  expect(await importing(camt({ amount: '1000', details }))).toEqual({
    ...nothing,
    recorded: [`${order.id} 1000`],
  })
})

test.each(['<Prtry>ANNOUNCED</Prtry>', '<Prtry>BOOKED</Prtry>', '<Cd>DONE</Cd>', ''])(
  'a payment with the status %j stays open until a statement shows it as booked, even if someone dismissed it',
  async (status) => {
    const order = await anUnpaid('1000')
    const entry = { amount: '1000.00', details: payment(order.reference) }
    const other = camt({ ...entry, status })
    expect(await importing(other)).toEqual({ ...nothing, problems: ['status'] })
    expect(await importing(other)).toEqual({ ...nothing, problems: ['status'] })
    const { id } = await openLine(order.reference)
    const dismissal = { params: { id }, body: { reason: 'It isn’t booked yet.' } }
    expect((await call(api.dismissStatementLine, dismissal, { token: officer.token })).status).toBe(200)
    expect(await importing(other)).toEqual(nothing)
    expect(await importing(camt(entry))).toEqual({ ...nothing, recorded: [`${order.id} 1000`] })
    expect((await paidOf(order.id)).map(Number)).toEqual([1000])
  },
)

test('a debit with the bank’s own word for its status may return a payment', async () => {
  const order = await anUnpaid('1000')
  const details = payment(order.reference)
  const entry = { amount: '1000', details, direction: 'DBIT', status: '<Prtry>BOOKED</Prtry>' } as const
  expect(await importing(camt(entry))).toEqual({ ...nothing, problems: ['returned'] })
})

test.each(['', '<Cd></Cd>', '<Other>PDNG</Other>'])(
  'leaves a payment whose status is %j to a person',
  async (status) => {
    const order = await anUnpaid('1000')
    const entry = { amount: '1000.00', details: payment(order.reference), status }
    expect(await importing(camt(entry))).toMatchObject({ recorded: [], problems: ['status'] })
    expect(await paidOf(order.id)).toEqual([null])
    expect((await assign((await openLine(order.reference)).id, order.reference)).status).toBe(200)
  },
)

const columns = { date: 0, sender: 1, reference: 2, amount: 3, currency: 4 }
const german: StatementMapping = { columns, numbers: 'comma', dates: 'iso' }
let gifts = 0
/** Returns a statement with a unique payment that matches no order. */
const csv = (...rows: string[]) =>
  [
    'Datum;Name;Verwendungszweck;Betrag;Waehrung',
    `${today};Bob;Gift ${(gifts += 1)};5,00;EUR`,
    ...rows,
    '',
  ].join('\n')

test('leaves money that a bank returned to us to a person', async () => {
  const order = await anUnpaid('1000')
  const details = `<TxDtls><RmtInf><Ustrd>${order.reference}</Ustrd></RmtInf><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>`
  expect(await importing(camt({ amount: '1000.00', details }))).toMatchObject({
    recorded: [],
    problems: ['returned'],
  })
  expect(await paidOf(order.id)).toEqual([null])
  expect((await assign((await openLine(order.reference)).id, order.reference)).problem.code).toBe('conflict')
})

test('leaves a payment that the bank returned to its sender to a person, whichever order it was for', async () => {
  const details = `<TxDtls><RmtInf><Ustrd>Account closed</Ustrd></RmtInf><RtrInf/></TxDtls>`
  expect(await importing(camt({ amount: '1000.00', direction: 'DBIT', details }))).toMatchObject({
    recorded: [],
    problems: ['reversal'],
  })
})

test('leaves a payment returned in the same CSV statement to a person', async () => {
  const [order, kept] = [await anUnpaid('1000'), await anUnpaid('1000')]
  const rows = [
    `${today};Eve;${order.reference};1.000,00;EUR`,
    `${today};Eve;${kept.reference};1.000,00;EUR`,
    `${today};Eve;Return ${order.reference};-1.000,00;EUR`,
    `${today};Ann;${kept.reference};-5,00;EUR`,
  ]
  expect(await importing(csv(...rows), german)).toMatchObject({
    ignored: 0,
    // The payment that was returned in full, its return, and the return for the other order.
    problems: ['unknown_order', 'returned', 'returned', 'returned'],
  })
  expect((await paidOf(order.id, kept.id)).map(Number)).toEqual([0, 1000])
})

test.each([
  ['without quotes', (reference: string) => `${today};Eve;${reference};1200,50;EUR;0,01;EUR`],
  [
    'with quotes that are not doubled',
    (reference: string) => `"${today}";"Eve";"${reference}";"1200,50";"EUR";"x";"0,01";"EUR"`,
  ],
])('what a payer typed into the purpose is not read as the amount, %s', async (_, rowOf) => {
  const order = await anUnpaid('1200.50')
  expect(await importing(csv(rowOf(order.reference)), german)).toMatchObject({
    recorded: [],
    problems: ['unknown_order', 'cells'],
  })
  expect((await assign((await openLine(order.reference)).id, order.reference)).problem.code).toBe('conflict')
  expect(await paidOf(order.id)).toEqual([null])
})

test('a quote that swallows the next delimiter hides no shifted cell', async () => {
  const order = await anUnpaid('1200.50')
  const row = `"${order.reference}";"1200,50";"x"";"0,01";"Eve"";"9,99"`
  const mapping: StatementMapping = {
    columns: { date: 0, reference: 1, amount: 2 },
    currency: 'EUR',
    numbers: 'comma',
    dates: 'iso',
  }
  const text = `"Zweck";"Betrag";"Name";"Saldo"
"Gift";"5,00";"Bob";"9,98"
${row}
`
  expect((await importing(text, mapping)).recorded).toEqual([])
  expect(await paidOf(order.id)).toEqual([null])
})

test('a delimiter at the end of each row is no cell, and hides none', async () => {
  const [order, other] = [await anUnpaid('1200.50'), await anUnpaid('1200.50')]
  const mapping: StatementMapping = {
    columns: { date: 0, reference: 1, amount: 2 },
    currency: 'EUR',
    numbers: 'comma',
    dates: 'iso',
  }
  const good = `${today};${order.reference};1200,50;9,98;`
  const shifted = `${today};${other.reference};1200,50;0,01;9,99;`
  for (const [index, heading] of ['Datum;Zweck;Betrag;Saldo', 'Datum;Zweck;Betrag;Saldo;'].entries())
    expect(await importing([heading, good, shifted, ''].join('\n'), mapping)).toMatchObject({
      recorded: [`${order.id} 1200.5`],
      problems: ['cells'],
      ...(index > 0 && { ignored: 0 }),
    })
  const alone = ['Datum;Zweck;Betrag;Saldo;', shifted, ''].join('\n')
  expect(await importing(alone, mapping)).toMatchObject({ recorded: [], problems: ['cells'] })
  expect(await paidOf(other.id)).toEqual([null])
})

test('ten digits count as a reference only after the ticker, and hide no other', async () => {
  const order = await anUnpaid('1000')
  const digits = order.reference.replace(/^\w+-/, '')
  expect(await importing(csv(`${today};Eve;Invoice ${digits};1.000,00;EUR`), german)).toMatchObject({
    recorded: [],
    problems: ['unknown_order', 'unknown_order'],
  })
  const text = `Invoice 1234567890 for ${order.reference.replaceAll('-', '')}`
  expect(await importing(csv(`${today};Eve;${text};1.000,00;EUR`), german)).toMatchObject({
    recorded: [`${order.id} 1000`],
  })
})

test('a payment that went back is not assigned as received', async () => {
  const order = await anUnpaid('1000')
  const rows = [
    `${today};Eve;${order.reference};1.000,00;EUR`,
    `${today};Eve;Return ${order.reference};-1.000,00;EUR`,
  ]
  await importing(csv(...rows), german)
  expect((await assign((await openLine(order.reference)).id, order.reference)).problem.code).toBe('conflict')
  expect(await paidOf(order.id)).toEqual([null])
})

const byName: StatementMapping = {
  columns: { date: 0, sender: 1, amount: 2, reference: 3 },
  currency: 'EUR',
  numbers: 'point',
  dates: 'iso',
}
const bare = (delimiter: string, ...rows: string[][]) =>
  [['Date', 'Name', 'Amount', 'Purpose'], ...rows].map((row) => row.join(delimiter)).join('\n')

test.each([
  ['around the bank’s amount', ';', (reference: string) => [today, '"x', '1', 'y"', '100', reference]],
  ['around more than it', ';', (reference: string) => [today, '"x', 'a', '1', 'y"', '100', reference]],
  ['around figures', ',', (reference: string) => [today, '"1', '200', '500"', '100', reference]],
])('quotes that a payer typed %s don’t change the amount', async (_, delimiter, rowOf) => {
  const order = await anUnpaid('100')
  const text = bare(delimiter, [today, 'Bob', '5', `Gift ${(gifts += 1)}`], rowOf(order.reference))
  expect(await importing(text, byName)).toMatchObject({
    recorded: [],
    problems: ['unknown_order', 'quotes'],
  })
  expect((await assign((await openLine(order.reference)).id, order.reference)).problem.code).toBe('conflict')
  expect(await paidOf(order.id)).toEqual([null])
})

test('a row between quotes that a payer opened and closed is not lost', async () => {
  const [order, other] = [await anUnpaid('100'), await anUnpaid('100')]
  const text = bare(
    ';',
    [today, 'Eve', '1', '"gift'],
    [today, 'Ann', '100', order.reference],
    [today, 'Eve', '1', 'bye"'],
    [today, 'Bob', '100', other.reference],
  )
  expect(await importing(text, byName)).toMatchObject({
    recorded: [`${other.id} 100`],
    problems: ['quotes'],
  })
  expect((await openLine(order.reference)).problem).toBe('quotes')
})

test.each([
  [
    'every cell',
    (reference: string) =>
      `"Date";"Name";"Amount";"Purpose"\n"${today}";"Smith; John";"1,000.00";"${reference}"\n`,
  ],
  [
    'the cells that need it',
    (reference: string) =>
      `Date,Name,Amount,Purpose\n${today},"Smith, John","1,000.00",${reference}\n${today},Bob,-5.00,Fee\n`,
  ],
])('records the payments of a bank that quotes %s', async (_, textOf) => {
  const order = await anUnpaid('1000')
  expect((await importing(textOf(order.reference), byName)).recorded).toEqual([`${order.id} 1000`])
})

test('a line break that a payer typed makes no row of its own, and hides none', async () => {
  const [order, other] = [await anUnpaid('10000'), await anUnpaid('100')]
  const rows = [
    `${today};evil`,
    `${today};${order.reference};10000.00`,
    'foo;1.00',
    `${today};${other.reference};100`,
  ]
  const mapping = { ...byName, columns: { date: 0, reference: 1, amount: 2 } }
  expect(await importing(['Date;Purpose;Amount', ...rows, ''].join('\n'), mapping)).toMatchObject({
    recorded: [`${other.id} 100`],
    problems: ['cells', 'cells', 'cells'],
    ignored: 0,
  })
  expect(await paidOf(order.id)).toEqual([null])
  expect((await assign((await openLine(order.reference)).id, order.reference)).problem.code).toBe('conflict')
})

test('a row that a line break cut off doesn’t count as a returned payment', async () => {
  const [order, other] = [await anUnpaid('100'), await anUnpaid('100')]
  const rows = [
    `${today};Hi ${order.reference}`,
    'bye;1.00',
    `${today};${order.reference};100`,
    `${today};${other.reference};100`,
  ]
  const mapping = { ...byName, columns: { date: 0, reference: 1, amount: 2 } }
  expect(await importing(['Date;Purpose;Amount', ...rows, ''].join('\n'), mapping)).toMatchObject({
    recorded: [`${order.id} 100`, `${other.id} 100`],
    problems: ['cells', 'cells'],
  })
})

test('a short row at the end of a statement is no payment', async () => {
  const order = await anUnpaid('100')
  const text = bare(';', [today, 'Bob', '100', order.reference], ['Balance', '100'])
  expect(await importing(text, byName)).toMatchObject({ recorded: [`${order.id} 100`], problems: [] })
})

test('a second report in one CAMT.053 file is read, too', async () => {
  const orders = [await anUnpaid('100'), await anUnpaid('100')]
  const reports = orders.map(({ reference }) => {
    const [, report] = /(<BkToCstmrStmt>.*<\/BkToCstmrStmt>)/s.exec(
      camt({ amount: '100', details: payment(reference) }),
    )!
    return report
  })
  const text = `<?xml version="1.0"?><Document>${reports.join('')}</Document>`
  expect((await importing(text)).recorded).toEqual(orders.map(({ id }) => `${id} 100`))
})

const inHours = (hours: number) =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

test('a bank ahead of UTC may date a payment tomorrow, but not later', async () => {
  const [order, other, third] = [await anUnpaid('100'), await anUnpaid('100'), await anUnpaid('100')]
  const rows = [
    [inHours(13), 'Bob', '100', order.reference],
    [inHours(15), 'Bob', '100', other.reference],
    [inHours(13), 'Bob', '101', 'Dated tomorrow'],
  ]
  expect(await importing(bare(';', ...rows), byName)).toMatchObject({
    recorded: [`${order.id} 100`],
    problems: ['date', 'unknown_order'],
  })
  expect((await assign((await openLine('Dated tomorrow')).id, third.reference)).status).toBe(200)
})
