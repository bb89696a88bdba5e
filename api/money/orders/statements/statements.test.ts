import { shownReference } from '../../../platform/text/order-reference.ts'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ImportPlan } from '#contract/money/import-payments.ts'
import { statementMapping, type StatementMapping } from '#contract/money/statements.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import type { OrderChange } from '../order.queries.ts'
import { insertOrderStep } from '../order-history.queries.ts'
import { decodeStatement } from './read-statement.ts'
import { readNumber, readTime } from './read-lines.ts'

const started = await startApi({}, afterAll)
const { call } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const buyer = await aSignedInMember(started)

const placeOn = (id: string, date: string) =>
  started.services.db
    .updateTable('token_order')
    .set({ created_at: new Date(date) })
    .where('id', '=', id)
    .execute()
async function anUnpaid(change: OrderChange = {}, owner = buyer) {
  const row = await anOrder(started, owner.id, {
    fabQty: '5',
    payMethod: 'SEPA',
    currency: 'EUR',
    amount: '1200.5',
    ...change,
  })
  await placeOn(row.id, '2026-01-01')
  return { id: row.id, reference: shownReference(row.reference) }
}
type Given = { mapping?: StatementMapping; seen?: ImportPlan['lines']; by?: TestMember }
const send = (file: string | Buffer, { mapping, seen, by = finance }: Given = {}) =>
  call(
    api.importOrderPayments,
    {
      body: {
        file: Buffer.from(file).toString('base64'),
        ...(mapping && { mapping }),
        ...(seen && { seen: seen.map(({ id, updatedAt }) => ({ id, updatedAt })) }),
      },
    },
    { token: by.token },
  )
const plan = async (...given: Parameters<typeof send>) => (await send(...given)).body
async function record(file: string | Buffer, given: Given = {}) {
  const { lines } = await plan(file, given)
  return plan(file, { ...given, seen: lines })
}
const paidOf = async (id: string) => {
  const { paidAmount, paidAt } = (
    await call(api.getConsoleOrder, { params: { id } }, { token: finance.token })
  ).body
  return { paidAmount, paidAt }
}
const openLines = async () =>
  (await call(api.listStatementLines, { query: { limit: 100 } }, { token: finance.token })).body

const german: StatementMapping = {
  columns: { date: 0, sender: 1, reference: 2, amount: 3, currency: 4 },
  numbers: 'comma',
  dates: 'dmy',
}
let statements = 0
/** Each statement has a unique heading, so that tests don't share mappings. */
const bank = (...rows: string[][]) =>
  [
    ['Konto: DE00 0000 0000'],
    [],
    [
      'Buchungstag',
      'Auftraggeber',
      'Verwendungszweck',
      'Betrag',
      'Währung',
      `Saldo ${'x'.repeat((statements += 1))}`,
    ],
    ...rows,
  ]
    .map((row) => row.join(';'))
    .join('\r\n')

test('maps a bank’s columns once, ignores unknown ones, and finds the order in the remittance text', async () => {
  const order = await anUnpaid()
  const row = ['01.02.2026', 'Ada Müller', `Order ${order.reference} thanks`, '1.200,50', 'EUR', '9.000,00']
  const file = Buffer.from(bank(row, ['02.02.2026', 'Bank', 'Fee', '-3,00', 'EUR', '1']), 'latin1')
  const asked = await plan(file)
  expect(asked).toMatchObject({
    state: 'mapping',
    format: 'csv',
    mapping: { columns: { date: 0, reference: 2, amount: 3 }, numbers: 'comma', dates: 'dmy' },
  })
  const done = await record(file, { mapping: german })
  expect(done).toMatchObject({
    state: 'applied',
    ignored: 1,
    open: 0,
    lines: [{ id: order.id, effect: 'records' }],
  })
  expect(await paidOf(order.id)).toEqual({ paidAmount: '1200.5', paidAt: '2026-02-01T00:00:00.000Z' })
  // A colleague reads the bank's next statement with the same mapping.
  expect(await plan(file, { by: colleague })).toMatchObject({
    state: 'checked',
    duplicates: 1,
    mapping: german,
  })
})

test('records good lines, and keeps bad, ambiguous, and unmatched ones as open lines', async () => {
  const [good, a, b] = [await anUnpaid(), await anUnpaid(), await anUnpaid()]
  const before = (await openLines()).length
  const file = bank(
    ['01.02.2026', 'A', good.reference, '1.200,50', 'EUR', ''],
    ['01.02.2026', 'B', `${a.reference} ${b.reference}`, '2.401,00', 'EUR', ''],
    ['01.02.2026', 'C', 'Savings', '10,00', 'EUR', ''],
    ['31.02.2026', 'D', a.reference, '1,00', 'EUR', ''],
    ['01.02.2026', 'E', b.reference, '12.00,1', 'EUR', ''],
    ['01.02.2026', 'F', a.reference, '1.200,50', 'USD', ''],
  )
  const done = await record(file, { mapping: german })
  expect(done).toMatchObject({ state: 'applied', open: 5 })
  expect(
    (await openLines())
      .slice(before)
      .map(({ sender, problem }) => `${sender} ${problem}`)
      .toSorted(),
  ).toEqual(['B ambiguous', 'C unknown_order', 'D date', 'E number', 'F currency'])
  expect((await paidOf(good.id)).paidAmount).toBe('1200.5')
  // Importing it again duplicates nothing, neither recorded nor open lines.
  expect(await record(file, { mapping: german })).toMatchObject({ duplicates: 1 })
  expect(await openLines()).toHaveLength(before + 5)
})

test('a corrected mapping leaves an open line as it was stored', async () => {
  const order = await anUnpaid()
  const before = (await openLines()).length
  const file = bank(['05/02/2026', 'A', order.reference, '1.200,50', 'EUR', ''])
  const american: StatementMapping = { ...german, numbers: 'point' }
  expect(await record(file, { mapping: american })).toMatchObject({
    open: 1,
    problems: [{ problem: 'number' }],
  })
  expect(await openLines()).toHaveLength(before + 1)
  const stored = await openLines()
  expect(await record(file, { mapping: german })).toMatchObject({ duplicates: 1, open: 0, lines: [] })
  expect(await openLines()).toEqual(stored)
  expect((await paidOf(order.id)).paidAmount).toBeNull()
})

test('two officers who import one statement at once record it once', async () => {
  const order = await anUnpaid()
  const file = bank(
    ['01.02.2026', 'A', order.reference, '1.200,50', 'EUR', ''],
    ['01.02.2026', 'Z', 'Gift', '1,00', 'EUR', ''],
  )
  const before = (await openLines()).length
  const { lines } = await plan(file, { mapping: german })
  const given = { mapping: german, seen: lines }
  const answers = await Promise.all([plan(file, given), plan(file, { ...given, by: colleague })])
  expect(answers.map(({ state }) => state)).toEqual(['applied', 'applied'])
  expect(await openLines()).toHaveLength(before + 1)
  const { steps } = (await call(api.getConsoleOrder, { params: { id: order.id } }, { token: finance.token }))
    .body
  expect(steps.filter(({ kind }) => kind === 'payment_recorded')).toHaveLength(1)
})

test('leaves a second payment for an order to a person', async () => {
  const order = await anUnpaid()
  await record(bank(['01.02.2026', 'A', order.reference, '1.000,00', 'EUR', '']), { mapping: german })
  const second = bank(['03.02.2026', 'A', order.reference, '200,50', 'EUR', ''])
  expect(await record(second, { mapping: german })).toMatchObject({
    open: 1,
    problems: [{ problem: 'other_payment' }],
  })
  expect((await paidOf(order.id)).paidAmount).toBe('1000')
})

test('matches by finance’s transaction or the order’s own address, and never by amount', async () => {
  const txId = `0x${'5'.repeat(64)}`
  const coin = { payMethod: 'ETH', currency: 'ETH', amount: '1.5' }
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const [named, here] = [
    await anUnpaid({ ...coin, txId }),
    await anUnpaid({ ...coin, amount: '7', receivingAddress: address }),
  ]
  for (const amount of ['8', '9'])
    await anUnpaid({ ...coin, amount, receivingAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' })
  const { db } = started.services
  await db.insertInto('chain_account').values({ id: 'eth', coin: 'ETH', next_position: 1 }).execute()
  await db
    .insertInto('chain_address')
    .values({
      account_id: 'eth',
      position: 0,
      coin: 'ETH',
      target: address.toLowerCase(),
      address,
      order_id: here.id,
    })
    .execute()
  await insertOrderStep(started.services.db, named.id, { kind: 'payment_reported', by: colleague.id, txId })
  const file = [
    `Time,Coin,Amount,TXID,Address,Note${(statements += 1)}`,
    `2026-02-01 10:00:00,ETH,1.5,${txId},,`,
    `2026-02-01 11:00:00,ETH,7,0x${'6'.repeat(64)},${address.toLowerCase()},`,
    `2026-02-01 12:00:00,ETH,7.5,0x${'7'.repeat(64)},0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359,`,
    `2026-02-01 13:00:00,ETH,1.5,0x${'8'.repeat(64)},0xother,`,
  ].join('\n')
  const mapping: StatementMapping = {
    columns: { date: 0, currency: 1, amount: 2, txId: 3, address: 4 },
    numbers: 'point',
    dates: 'iso',
  }
  const done = await record(file, { mapping })
  expect(done.lines.map(({ id }) => id)).toEqual([named.id, here.id])
  expect(done.problems.map(({ line, problem }) => `${line} ${problem}`)).toEqual([
    '4 shared_address',
    '5 unknown_order',
  ])
})

const camt = (entries: string, before = '') => `<?xml version="1.0" encoding="UTF-8"?>${before}
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`
const entry = (amount: string, direction: string, purpose: string) => `<Ntry><Amt Ccy="EUR">${amount}</Amt>
  <CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-02-01</Dt></BookgDt>
  <NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Ada &amp; Co</Nm></Pty></Dbtr></RltdPties>
  <RmtInf><Ustrd>${purpose}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`

test('reads CAMT.053 without a mapping, and ignores debits', async () => {
  const order = await anUnpaid()
  const file = camt(
    entry('1200.50', 'CRDT', order.reference) + entry('3.00', 'DBIT', 'Fee') + entry('5', 'CRDT', 'Gift'),
  )
  const done = await record(file)
  expect(done).toMatchObject({ state: 'applied', format: 'camt053', ignored: 1, open: 1 })
  expect((await paidOf(order.id)).paidAmount).toBe('1200.5')
  expect((await openLines()).at(-1)).toMatchObject({ sender: 'Ada & Co', reference: 'Gift' })
})

test('rejects XML that declares entities, and XML that is no statement', async () => {
  const attack = camt(entry('1', 'CRDT', '&x;'), '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>')
  for (const file of [
    attack,
    '<?xml version="1.0"?><a/>',
    '<?xml version="1.0"?><Document><open></Document>',
  ])
    expect(await plan(file)).toMatchObject({ state: 'refused', problems: [{ problem: 'xml' }] })
})

test('an unclosed quote swallows no other line', async () => {
  const order = await anUnpaid()
  const file = bank(
    ['01.02.2026', '"A', 'x', '1,00', 'EUR', ''],
    ['01.02.2026', 'B', order.reference, '1.200,50', 'EUR', ''],
  )
  expect((await record(file, { mapping: german })).lines).toMatchObject([{ id: order.id }])
})

test('a colleague cannot assign an officer’s own imported line to that officer’s order', async () => {
  const own = await anUnpaid({}, finance)
  await record(bank(['01.02.2026', 'Self', own.reference, '1.200,50', 'EUR', '']), { mapping: german })
  expect((await assign((await openLines()).at(-1)!.id, own.reference, colleague)).problem.code).toBe(
    'forbidden',
  )
  expect((await paidOf(own.id)).paidAmount).toBeNull()
})

test.each([
  ['Af', 'returned'],
  ['Débit', 'returned'],
  ['转出', 'returned'],
  ['Sideways', 'direction'],
  ['Credit', undefined],
])('reads the direction %s', async (direction, problem) => {
  const { reference } = await anUnpaid()
  const mapping = { ...german, columns: { ...german.columns, direction: 5 } }
  const file = bank(['01.02.2026', 'A', reference, '1.200,50', 'EUR', direction])
  expect((await plan(file, { mapping })).problems[0]?.problem).toBe(problem)
})

test('officers can neither record nor assign a line for their own order', async () => {
  const own = await anUnpaid({}, finance)
  const file = bank(['01.02.2026', 'Self', own.reference, '1.200,50', 'EUR', ''])
  expect((await record(file, { mapping: german })).problems).toMatchObject([{ problem: 'own_order' }])
  const line = (await openLines()).at(-1)!
  const assigned = await assign(line.id, own.reference)
  expect(assigned.problem.code).toBe('forbidden')
  expect((await paidOf(own.id)).paidAmount).toBeNull()
})

test('no one dismisses a line about their own order', async () => {
  const [own, other] = [await anUnpaid({}, finance), await anUnpaid()]
  const txId = 'Transfer 4711'
  const withId = await anUnpaid({ txId }, finance)
  const mapping = { ...german, columns: { ...german.columns, direction: 5 } }
  const file = bank(
    ['01.02.2026', 'own', own.reference, '1.200,50', 'EUR', 'Returned'],
    ['01.02.2026', 'both', `${own.reference} ${other.reference}`, '1,00', 'EUR', 'Credit'],
    ['01.02.2026', 'other', other.reference, '1.200,50', 'EUR', 'Returned'],
  )
  await record(file, { mapping, by: colleague })
  await record(bank(['01.02.2026', 'key', txId, '7,00', 'EUR', '']), {
    mapping: { ...german, columns: { ...german.columns, reference: 5, txId: 2 } },
    by: colleague,
  })
  expect((await paidOf(withId.id)).paidAmount).toBeNull()
  const lines = await openLines()
  const lineOf = (sender: string) => lines.find((line) => line.sender === sender)!.id
  for (const sender of ['own', 'both', 'key'])
    expect([sender, (await dismiss(lineOf(sender))).problem.code]).toEqual([sender, 'forbidden'])
  expect((await dismiss(lineOf('other'))).body.state).toBe('dismissed')
  expect((await dismiss(lineOf('own'), colleague)).body.state).toBe('dismissed')
})

const assign = (id: string, reference: string, by = finance) =>
  call(
    api.assignStatementLine,
    { params: { id }, body: { reference, reason: 'The name matches.' } },
    { token: by.token },
  )
const dismiss = (id: string, by = finance) =>
  call(api.dismissStatementLine, { params: { id }, body: { reason: 'Interest.' } }, { token: by.token })

test('an officer can’t assign a line about their own order to another order', async () => {
  const [own, other] = [await anUnpaid({}, finance), await anUnpaid()]
  const file = bank(['01.02.2026', 'mine', own.reference, '1.200,50', 'EUR', ''])
  await record(file, { mapping: german, by: colleague })
  await record(bank(['02.02.2026', 'more', own.reference, '3,00', 'EUR', '']), {
    mapping: german,
    by: colleague,
  })
  const line = (await openLines()).find(({ sender }) => sender === 'more')!
  expect((await assign(line.id, other.reference)).problem.code).toBe('forbidden')
  const ofColleague = await assign(line.id, other.reference, colleague)
  expect(ofColleague.problem.errors).toMatchObject([{ code: 'names_other_order' }])
  expect((await paidOf(other.id)).paidAmount).toBeNull()
})

test('an open line is assigned or dismissed once, and not imported again', async () => {
  const [order, other] = [await anUnpaid(), await anUnpaid()]
  const file = bank(
    ['01.02.2026', 'A', 'For my order', '1.200,50', 'EUR', ''],
    ['01.02.2026', 'B', 'Interest', '2,00', 'EUR', ''],
  )
  await record(file, { mapping: german })
  // Lines of one import have the same time, so their order is undefined.
  const [line, interest] = (await openLines()).slice(-2).toSorted((a, b) => a.sender.localeCompare(b.sender))
  const answers = await Promise.all([
    assign(line!.id, order.reference),
    assign(line!.id, other.reference, colleague),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const paid = await Promise.all([paidOf(order.id), paidOf(other.id)])
  expect(paid.filter(({ paidAmount }) => paidAmount === '1200.5')).toHaveLength(1)
  expect((await dismiss(interest!.id)).body).toMatchObject({ state: 'dismissed', reason: 'Interest.' })
  expect((await dismiss(interest!.id, colleague)).problem.code).toBe('conflict')
  const before = (await openLines()).length
  expect(await record(file, { mapping: german })).toMatchObject({ duplicates: 2, open: 0 })
  expect(await openLines()).toHaveLength(before)
})

test('imports a GBK file of a Chinese bank, and names the encoding in the preview', async () => {
  const order = await anUnpaid({ currency: 'CNY' })
  const sample = readFileSync(new URL('../../../../tests/files/statement-gbk.csv', import.meta.url), 'latin1')
  const file = Buffer.from(sample.replace('COIN-AAAAA-BBBBB', order.reference), 'latin1')
  const asked = await plan(file)
  expect(asked).toMatchObject({
    state: 'mapping',
    encoding: 'gb18030',
    mapping: {
      columns: { date: 0, amount: 4, currency: 3, reference: 8, sender: 7 },
      numbers: 'point',
      dates: 'iso',
    },
  })
  expect(asked.columns[7]).toEqual({ name: '对方户名', samples: ['朱镕基示范户', '中国工商银行'] })
  const done = await record(file, { mapping: statementMapping.parse(asked.mapping) })
  expect(done).toMatchObject({ state: 'applied', encoding: 'gb18030', open: 0, ignored: 1 })
  expect(await paidOf(order.id)).toEqual({ paidAmount: '1200.5', paidAt: '2026-02-01T00:00:00.000Z' })
})

test.each([
  ['UTF-8', Buffer.from('付款人,金额'), 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFF付款人'), 'utf-8'],
  ['UTF-16', Buffer.from('\uFEFF付款人', 'utf16le'), 'utf-16'],
  // 付款人
  ['GBK', Buffer.from('b8b6bfeec8cb', 'hex'), 'gb18030'],
  ['German in Windows-1252', Buffer.from('Empfänger;Müller, Größe, Straße', 'latin1'), 'windows-1252'],
  ['French in Windows-1252', Buffer.from('Créée le, bénéficiaire, libellé', 'latin1'), 'windows-1252'],
  ['ISO 8859-1 capitals', Buffer.from('EMPFÄNGER;GESCHÄFT;ÜBERWEISUNG', 'latin1'), 'windows-1252'],
])('detects %s', (_, bytes, encoding) => {
  expect(decodeStatement(bytes)?.encoding).toBe(encoding)
})

test.each([
  ['a picture', Buffer.from('ffd8ffe000104a464946', 'hex')],
  ['UTF-16 without a byte order mark', Buffer.from('付款人,金额', 'utf16le')],
  ['bytes of no encoding', Buffer.from('b8b6ff2c81', 'hex')],
])('does not take %s for text', (_, bytes) => {
  expect(decodeStatement(bytes)).toBeUndefined()
})

test('resolving a line validates the entries before asking for step-up', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await record(bank(['01.02.2026', 'A', 'Whose?', '3,00', 'EUR', '']), { mapping: german })
  const line = (await openLines()).at(-1)!
  await letProofAge(started, officer)
  expect((await assign(line.id, 'nonsense', officer)).problem.errors).toMatchObject([{ path: 'reference' }])
  expect((await assign(line.id, (await anUnpaid()).reference, officer)).problem.code).toBe('step_up_required')
  // What the order rules reject also fails before that: a transaction that pays another order.
  const txId = `0x${'5e'.repeat(32)}`
  const mapping = { ...german, columns: { ...german.columns, txId: 5 } }
  await record(bank(['01.02.2026', 'A', 'Whose?', '3,00', 'EUR', txId]), { mapping })
  const withTransaction = (await openLines()).find((each) => each.txId === txId)!
  await anUnpaid({ txId })
  const { reference } = await anUnpaid()
  expect((await assign(withTransaction.id, reference, officer)).problem.code).toBe('conflict')
})

test.each([
  ['1,200.50', 'point', '1200.50'],
  ['1.200,50', 'comma', '1200.50'],
  ['EUR 1.200', 'comma', '1200'],
  ['1 200,50', 'comma', '1200.50'],
  ['12,00', 'point', undefined],
  ['1.2,3', 'comma', undefined],
  ["1'200.50", 'point', '1200.50'],
  ['1 200 000.50', 'point', '1200000.50'],
  ['1 00.00', 'point', undefined],
  ["100'00", 'comma', undefined],
  ["1,200'000.50", 'point', undefined],
  ['1,200.50', 'plain', undefined],
  ['0,500', 'point', undefined],
  ['0,500', 'comma', '0.500'],
  ['0.500', 'comma', undefined],
  ['0.500', 'point', '0.500'],
  ['0', 'point', '0'],
  ['=1+1', 'point', undefined],
] as const)('reads the amount %s as %s', (text, format, expected) => {
  expect(readNumber(text, format)).toBe(expected)
})

test.each([
  ['20260501', 'iso', '2026-05-01'],
  ['2026年5月1日', 'iso', '2026-05-01'],
  ['20261301', 'iso', undefined],
  ['05/01/2026', 'mdy', '2026-05-01'],
  ['05/01/2026', 'dmy', '2026-01-05'],
  ['1.5.26', 'dmy', '2026-05-01'],
  ['2026-05-01', 'iso', '2026-05-01'],
  ['30.02.2026', 'dmy', undefined],
  ['01.05.2999', 'dmy', undefined],
] as const)('reads the date %s as %s', (text, format, expected) => {
  expect(readTime(text, format)?.toISOString().slice(0, 10)).toBe(expected)
})

test('the audit log has imports that store only open lines or a mapping, and the line that was dismissed', async () => {
  const latest = () =>
    started.services.db
      .selectFrom('audit_entry')
      .select(['action', 'detail'])
      .where('subject_kind', '=', 'order')
      .where('action', 'not like', '%listed')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  const action = 'order-payments-imported'
  const file = bank(['01.02.2026', 'A', 'For the log', '3,00', 'EUR', ''])
  await record(file, { mapping: german })
  expect(await latest()).toEqual({ action, detail: { count: 0, open: 1, isMapped: true } })
  await record(file, { mapping: german })
  expect(await latest()).toEqual({ action, detail: { count: 0, open: 1 } })
  const line = (await openLines()).find(({ reference }) => reference === 'For the log')!
  await dismiss(line.id)
  expect(await latest()).toEqual({
    action: 'order-statement-line-dismissed',
    detail: { line: line.id },
  })
})
