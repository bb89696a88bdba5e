import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ImportPlan } from '#contract/money/import-payments.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aBankOrder, bankMapping, importStatement, linesAbout } from '#tests/statements.ts'

/* A later statement may repeat a payment of an earlier one, or show that it was returned. */

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: officer.token }
const today = new Date().toISOString().slice(0, 10)

async function anUnpaid(amount = '100', owner?: TestMember) {
  const member = owner ?? (await aSignedInMember(started))
  return { ...(await aBankOrder(started, member, { amount })), member }
}
const csv = (...rows: string[]) =>
  ['Date;Amount;Purpose', ...rows.map((row) => `${today};${row}`), ''].join('\n')
type Entry = {
  amount?: string
  purpose: string
  bankReference?: string
  direction?: 'CRDT' | 'DBIT'
  isReversal?: boolean
}
const camt = (...entries: Entry[]) =>
  `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt>${entries
    .map(
      ({ amount = '100', purpose, bankReference = '', direction = 'CRDT', isReversal = false }) =>
        `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><RvslInd>${isReversal}</RvslInd><Sts>BOOK</Sts>
      <BookgDt><Dt>${today}</Dt></BookgDt><AcctSvcrRef>${bankReference}</AcctSvcrRef>
      <NtryDtls><TxDtls><RmtInf><Ustrd>${purpose}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    )
    .join('')}</Stmt></BkToCstmrStmt></Document>`

type Import = { as?: StatementMapping; token?: string }

/** Imports a statement after checking that its preview shows the same. */
async function importing(
  text: string,
  { as = text.startsWith('<') ? undefined : bankMapping, token = officer.token }: Import = {},
) {
  const outcomeOf = (plan: ImportPlan) => ({
    recorded: plan.lines.filter(({ effect }) => effect !== 'nothing').map(({ id }) => id),
    problems: plan.problems.map(({ problem }) => problem),
    duplicates: plan.duplicates,
    ignored: plan.ignored,
  })
  const { shown, done } = await importStatement(started, { token }, text, as)
  expect(outcomeOf(shown)).toEqual(outcomeOf(done))
  return outcomeOf(done)
}
const openLines = (text: string) => linesAbout(started, officer, text)
const assign = (id: string, reference: string, confirms: { confirmsDuplicate?: true } = {}) =>
  call(
    api.assignStatementLine,
    { params: { id }, body: { reference, reason: 'The sender is the member.', ...confirms } },
    by,
  )
const dismiss = (id: string) =>
  call(api.dismissStatementLine, { params: { id }, body: { reason: 'Dealt with.' } }, by)
const detailOf = async (id: string, token = officer.token) =>
  (await call(api.getConsoleOrder, { params: { id } }, { token })).body
const update = (id: string, more: object) => call(api.updateOrder, { body: { _id: id, ...more } }, by)
const complete = (id: string) => update(id, { status: 'completed' })

const none = { recorded: [], problems: [], duplicates: 0, ignored: 0 }

test('a second payment with a bank reference of its own is left to a person', async () => {
  const order = await anUnpaid('200')
  const purpose = order.reference
  const first = camt({ purpose, bankReference: 'B-1' })
  expect(await importing(first)).toEqual({ ...none, recorded: [order.id] })
  expect(await importing(camt({ purpose, bankReference: 'B-2' }))).toEqual({
    ...none,
    problems: ['other_payment'],
  })
  expect(await openLines(purpose)).toHaveLength(1)
  // The bank repeats a payment in a statement of a longer period.
  expect(
    await importing(camt({ purpose, bankReference: 'B-1' }, { purpose: 'Fee', direction: 'DBIT' })),
  ).toEqual({ ...none, duplicates: 1, ignored: 1 })
})

test('two unmatched payments with bank references of their own are two lines', async () => {
  for (const bankReference of ['C-1', 'C-2', 'C-2'])
    await importing(camt({ purpose: 'Anything', bankReference }))
  expect(await openLines('Anything')).toHaveLength(2)
})

test.each([
  ['CSV', (purpose: string, fee: string) => csv(`100;${purpose}`, `-3;${fee}`)],
  [
    'CAMT.053 without bank references',
    (purpose: string, fee: string) =>
      camt({ purpose }, { purpose: fee, bankReference: fee, direction: 'DBIT' }),
  ],
])('a line of %s that looks like one of another file is left to a person', async (_, fileOf) => {
  const order = await anUnpaid('200')
  const [morning, evening] = [fileOf(order.reference, 'Fee A'), fileOf(order.reference, 'Fee B')]
  expect(await importing(morning)).toMatchObject({ recorded: [order.id], problems: [] })
  for (const _ of ['first', 'again'])
    expect(await importing(evening)).toMatchObject({ recorded: [], problems: ['looks_imported'] })
  const [line, ...others] = await openLines(order.reference)
  expect(others).toEqual([])
  expect(line).toMatchObject({ problem: 'looks_imported', orderId: order.id, amount: '100' })
  expect((await dismiss(line!.id)).body.state).toBe('dismissed')
  for (const file of [morning, evening])
    expect(await importing(file)).toMatchObject({ recorded: [], problems: [], duplicates: 1 })
})

test('an unmatched payment that looks like one that was assigned can be assigned as well', async () => {
  const [first, second] = [await anUnpaid(), await anUnpaid()]
  for (const [fee, order] of [
    ['A', first],
    ['B', second],
  ] as const) {
    await importing(csv('100;Payment service', `-3;Fee ${fee}`))
    const [line] = await openLines('Payment service')
    // The import marked the second line.
    expect((await assign(line!.id, order.reference)).status).toBe(order === first ? 200 : 400)
    if (order === second)
      expect((await assign(line!.id, order.reference, { confirmsDuplicate: true })).status).toBe(200)
  }
  expect([(await detailOf(first.id)).paidAmount, (await detailOf(second.id)).paidAmount]).toEqual([
    '100',
    '100',
  ])
})

/** Imports are limited per officer. */
const byColleague = { token: colleague.token }

test.each([
  ['assigned before the other file is imported', 'before'],
  ['assigned after both files are imported', 'after'],
] as const)('one payment in two formats pays only one order without a doubt: %s', async (_, when) => {
  const [first, second] = [await anUnpaid('777'), await anUnpaid('777')]
  const purpose = `Tokens please, ${when}`
  const [one, other] = [
    csv(`777.00;${purpose}`),
    camt({ amount: '777', purpose, bankReference: `X ${when}` }),
  ]
  await importing(one, byColleague)
  const [line] = await openLines(purpose)
  if (when === 'after')
    expect(await importing(other, byColleague)).toMatchObject({ problems: ['unknown_order'] })
  expect((await assign(line!.id, first.reference)).status).toBe(200)
  if (when === 'before')
    expect(await importing(other, byColleague)).toMatchObject({ problems: ['looks_imported'] })
  const [copy] = await openLines(purpose)
  if (when === 'after')
    expect((await assign(copy!.id, second.reference)).problem.errors).toMatchObject([
      { path: 'reference', code: 'looks_imported' },
    ])
  expect((await detailOf(second.id)).paidAmount).toBeNull()
  expect(await openLines(purpose)).toMatchObject([{ problem: 'looks_imported', orderId: first.id }])
  // An officer who finds out that it is another payment assigns it, with a reason.
  expect((await assign(copy!.id, second.reference, { confirmsDuplicate: true })).status).toBe(200)
})

test('a payment that was assigned to another order isn’t recorded again in another format', async () => {
  const member = await aSignedInMember(started)
  const [named, paid] = [await anUnpaid('55', member), await anUnpaid('55', member)]
  await importing(csv(`55.00;${named.reference}`, '-1;Fee'), {
    as: { ...bankMapping, numbers: 'plain', dates: 'dmy' },
    ...byColleague,
  })
  const [line] = await openLines(named.reference)
  expect((await assign(line!.id, paid.reference)).status).toBe(200)
  expect(
    await importing(camt({ amount: '55', purpose: named.reference, bankReference: 'Y' }), byColleague),
  ).toMatchObject({
    recorded: [],
    problems: ['looks_imported'],
  })
})

test('two payments of one file, and payments that name their orders, are no duplicates', async () => {
  const [first, second, third] = [await anUnpaid('66'), await anUnpaid('66'), await anUnpaid('66')]
  await importing(
    camt(
      { amount: '66', purpose: 'Rate', bankReference: 'Z-1' },
      { amount: '66', purpose: 'Rate', bankReference: 'Z-2' },
    ),
  )
  for (const order of [first, second]) {
    const [line] = await openLines('Rate')
    expect((await assign(line!.id, order.reference)).status).toBe(200)
  }
  expect(await importing(csv(`66;Rate ${third.reference}`), byColleague)).toMatchObject({
    recorded: [third.id],
    problems: [],
  })
})

test('the same rows below another preamble are the same file', async () => {
  const order = await anUnpaid()
  const file = csv(`100;${order.reference}`, '7;Gift of the day')
  expect(await importing(file)).toMatchObject({ recorded: [order.id], problems: ['unknown_order'] })
  expect(await importing(`Exported at 10:15\n${file}`)).toMatchObject({
    recorded: [],
    problems: ['unknown_order'],
    duplicates: 1,
  })
  expect(await openLines('Gift of the day')).toHaveLength(1)
})

test('a line with a transaction ID is known in every file', async () => {
  const order = await anUnpaid()
  const as: StatementMapping = { ...bankMapping, columns: { ...bankMapping.columns, txId: 3 } }
  const fileOf = (fee: string) =>
    `Date;Amount;Purpose;TxID\n${today};100;${order.reference};Transfer 8812\n${today};-3;${fee};\n`
  expect(await importing(fileOf('A'), { as })).toMatchObject({ recorded: [order.id] })
  expect(await importing(fileOf('B'), { as })).toMatchObject({ recorded: [], problems: [], duplicates: 1 })
})

test.each([
  ['CSV', (purpose: string) => csv(`-100;Return ${purpose}`)],
  ['CSV, less a fee', (purpose: string) => csv(`-95;Return ${purpose}`)],
  ['CAMT.053', (purpose: string) => camt({ purpose, direction: 'DBIT', bankReference: purpose })],
])('a payment that goes back in a later statement stops the completion: %s', async (_, fileOf) => {
  const order = await anUnpaid()
  await importing(csv(`100;${order.reference}`))
  const returned = fileOf(order.reference)
  for (const _ of ['first', 'again'])
    expect(await importing(returned)).toEqual({ ...none, problems: ['returned'] })
  const [line] = await openLines(order.reference)
  expect(line).toMatchObject({ problem: 'returned', orderId: order.id })
  expect((await assign(line!.id, order.reference)).problem.code).toBe('conflict')
  expect((await detailOf(order.id)).flags).toContain('payment_returned')
  const list = await call(api.listConsoleOrders, { query: { flag: 'payment_returned' } }, by)
  expect(list.body.map(({ id }) => id)).toContain(order.id)
  expect((await complete(order.id)).problem).toMatchObject({
    code: 'conflict',
    errors: [{ path: 'payment', code: 'unsettled' }],
  })
  await dismiss(line!.id)
  expect(await importing(returned)).toEqual({ ...none, duplicates: 1 })
  expect((await detailOf(order.id)).flags).not.toContain('payment_returned')
  expect((await complete(order.id)).status).toBe(200)
})

test('a reversal in a later statement stops the completion as well', async () => {
  const order = await anUnpaid()
  await importing(camt({ purpose: order.reference, bankReference: 'R-1' }))
  await importing(
    camt({ purpose: order.reference, bankReference: 'R-2', direction: 'DBIT', isReversal: true }),
  )
  expect((await detailOf(order.id)).flags).toContain('payment_returned')
  expect((await complete(order.id)).problem.code).toBe('conflict')
})

test('another mapping doesn’t hide that the officer’s own payment went back', async () => {
  const order = await anUnpaid('100', officer)
  const token = colleague.token
  await importing(csv(`100;${order.reference}`), { token })
  const returned = csv(`-100;Return ${order.reference}`)
  await importing(returned, { token })
  const [line] = await openLines(order.reference)
  for (const columns of [
    { amount: 0, reference: 2 },
    { amount: 2, reference: 1 },
    { date: 1, amount: 0, reference: 0 },
  ])
    expect(await importing(returned, { as: { ...bankMapping, columns } })).toEqual({ ...none, duplicates: 1 })
  expect(await openLines(order.reference)).toEqual([line])
  expect((await dismiss(line!.id)).problem.code).toBe('forbidden')
  expect((await detailOf(order.id, token)).flags).toContain('payment_returned')
})

test('a statement in CAMT.053 is read without the mapping that was sent', async () => {
  const order = await anUnpaid()
  await importing(camt({ purpose: order.reference, bankReference: 'M-1' }))
  const reversal = camt({
    purpose: order.reference,
    bankReference: 'M-2',
    direction: 'DBIT',
    isReversal: true,
  })
  const as: StatementMapping = { ...bankMapping, columns: { amount: 1, reference: 4 } }
  expect(await importing(reversal, { as })).toMatchObject({ problems: ['reversal'] })
  expect((await detailOf(order.id)).flags).toContain('payment_returned')
})

test('a stored line that turns out to be returned can’t be assigned any more', async () => {
  const order = await anUnpaid()
  const payment = { purpose: 'For my tokens', amount: '77', bankReference: 'T-1' }
  await importing(camt(payment))
  const [line] = await openLines('For my tokens')
  expect(line).toMatchObject({ problem: 'unknown_order' })
  const reversal: Entry = { ...payment, purpose: 'Sent back', bankReference: 'T-2', isReversal: true }
  expect(await importing(camt(payment, { ...reversal, direction: 'DBIT' }))).toMatchObject({
    problems: ['returned', 'reversal'],
  })
  expect((await assign(line!.id, order.reference)).problem.code).toBe('conflict')
})

test('a refund that finance recorded is no returned payment', async () => {
  const order = await anUnpaid()
  await importing(csv(`100;${order.reference}`))
  const asked = await call(
    api.requestWithdrawal,
    { params: { id: order.id }, body: { refundAddress: 'DE02 1203 0000 0000 2020 51' } },
    { token: order.member.token },
  )
  const params = { id: asked.body.id }
  await call(api.acceptWithdrawal, { params, body: {} }, { token: colleague.token })
  const third = await aSignedInMember(started, { manage_finance: 2 })
  const body = { amount: '100', txId: 'Transfer 9', paidOn: today, reason: 'Sent back.' }
  const refunded = await call(api.recordRefund, { params, body }, { token: third.token })
  expect(refunded.body.state).toBe('refunded')
  expect(await importing(csv(`-100;Refund ${order.reference}`))).toEqual({ ...none, ignored: 1 })
})

/* A payment may also be returned before anyone recorded it. */

const reason = 'Seen in the bank account.'
const blocked = { code: 'conflict', errors: [{ path: 'payment', code: 'unsettled' }] }
const columns = { ...bankMapping.columns, txId: 3, complete: 4 }
/** Rows of amount, purpose, transaction, and whether to complete the order. */
async function importingRows(...rows: string[]) {
  const text = ['Date;Amount;Purpose;TxID;Complete', ...rows.map((row) => `${today};${row}`), ''].join('\n')
  const outcomeOf = ({ lines, problems, ignored, open }: ImportPlan) => ({
    recorded: lines.filter(({ effect }) => effect !== 'nothing').map(({ effect }) => effect),
    problems: problems.map(({ problem }) => problem),
    ignored,
    open,
  })
  const { shown, done } = await importStatement(started, officer, text, { ...bankMapping, columns })
  expect(outcomeOf(shown)).toEqual(outcomeOf(done))
  return outcomeOf(done)
}
const flagsOf = async (id: string) => (await detailOf(id)).flags
let count = 0
const aTransaction = () => `Transfer ${(count += 1)} of ${today}`

test('an order isn’t completed if its payment went back before someone recorded it', async () => {
  const order = await anUnpaid()
  expect(await importingRows(`-100;Return ${order.reference};;`)).toMatchObject({
    problems: ['returned'],
    open: 1,
  })
  expect(await flagsOf(order.id)).toContain('payment_returned')
  expect((await update(order.id, { paidAmount: '100', reason })).status).toBe(200)
  expect((await complete(order.id)).problem).toMatchObject(blocked)
  const [line] = await openLines(order.reference)
  await dismiss(line!.id)
  expect((await complete(order.id)).status).toBe(200)
})

test('a payment that its bank returns before the date that finance typed stops the completion', async () => {
  const order = await anUnpaid()
  const paidAt = new Date().toISOString()
  await update(order.id, { paidAmount: '100', paidAt, reason })
  const text = `Date;Amount;Purpose\n2026-01-02;-100;Return ${order.reference}\n`
  expect(await importing(text)).toMatchObject({ problems: ['returned'] })
  expect((await complete(order.id)).problem).toMatchObject(blocked)
})

test('a debit is kept until an order names its transaction', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  expect(await importingRows(`-100;Outgoing;${txId};`)).toEqual({
    recorded: [],
    problems: [],
    ignored: 1,
    open: 0,
  })
  expect(await openLines(txId)).toEqual([])
  await update(order.id, { txId, paidAmount: '100', reason })
  const [line] = await openLines(txId)
  expect(line).toMatchObject({ problem: 'outgoing', orderId: order.id, orderReference: order.reference })
  expect(await flagsOf(order.id)).toContain('payment_returned')
  expect((await complete(order.id)).problem).toMatchObject(blocked)
  await dismiss(line!.id)
  expect((await complete(order.id)).status).toBe(200)
})

test('an order isn’t completed in the request that names a transaction which went back', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  await importingRows(`-100;Outgoing;${txId};`)
  const body = { status: 'completed', txId, paidAmount: '100', reason }
  expect((await update(order.id, body)).problem).toMatchObject(blocked)
})

test('an order isn’t entered as completed with a transaction that went back', async () => {
  const [{ member }, txId] = [await anUnpaid(), aTransaction()]
  await importingRows(`-100;Outgoing;${txId};`)
  const body = { memberId: member.id, fabQty: '5', amount: '100', payMethod: 'Bank', reason, txId }
  const entered = await call(api.createOrder, { body: { ...body, status: 'completed' } }, by)
  expect(entered.problem).toMatchObject(blocked)
})

test('a payment that was assigned from a statement isn’t forgotten to have gone back', async () => {
  const [order, txId] = [await anUnpaid('123'), aTransaction()]
  expect(await importingRows(`123;Anything;${txId};`)).toMatchObject({ problems: ['unknown_order'] })
  await importingRows(`-123;Anything else;${txId};`)
  const [line] = await openLines(txId)
  const body = { reference: order.reference, reason }
  expect((await call(api.assignStatementLine, { params: { id: line!.id }, body }, by)).status).toBe(200)
  expect((await complete(order.id)).problem).toMatchObject(blocked)
})

test('an import doesn’t complete an order whose payment another import saw go back', async () => {
  const [order, txId] = [await anUnpaid(), aTransaction()]
  await importingRows(`-100;Outgoing;${txId};`)
  expect(await importingRows(`100;${order.reference};${txId};yes`)).toMatchObject({
    recorded: [],
    problems: ['unsettled'],
  })
})

test('an import doesn’t complete an order whose payment goes back less a fee in the same file', async () => {
  const order = await anUnpaid()
  expect(await importingRows(`100;${order.reference};;yes`, `-95;Return ${order.reference};;`)).toMatchObject(
    {
      recorded: [],
      problems: ['unsettled', 'returned'],
    },
  )
  expect((await openLines(order.reference)).map(({ problem }) => problem).toSorted()).toEqual([
    'returned',
    'unsettled',
  ])
})

test('a debit that names two orders stops the completion of both', async () => {
  const [first, second] = [await anUnpaid(), await anUnpaid()]
  for (const { id } of [first, second]) await update(id, { paidAmount: '100', reason })
  await importingRows(`-200;Return ${first.reference} ${second.reference};;`)
  for (const { id } of [first, second]) {
    expect(await flagsOf(id)).toContain('payment_returned')
    expect((await complete(id)).problem).toMatchObject(blocked)
  }
})
