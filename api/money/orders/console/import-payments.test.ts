import { shownReference } from '../../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { ImportPlan } from '#contract/money/import-payments.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { ownAddress } from '#tests/own-chain.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'
import type { OrderChange } from '../order.queries.ts'

const started = await startApi({ ORDER_TWO_PERSONS_FROM: '1000000', WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services, mailsTo } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const buyer = await aSignedInMember(started)

/** After `anUnpaid` was placed. */
const paidOn = '2026-02-01'
let counter = 0
const tx = () => `0x${(counter += 1).toString(16).padStart(64, '0')}`

async function anUnpaid(change: OrderChange = {}, owner = buyer) {
  const row = await anOrder(started, owner.id, { fabQty: '5', ...change })
  await services.db
    .updateTable('token_order')
    .set({ created_at: new Date('2026-01-01') })
    .where('id', '=', row.id)
    .execute()
  return { id: row.id, reference: shownReference(row.reference), owner }
}

const send = async (
  csv: string | Buffer,
  { seen, by = finance }: { seen?: ImportPlan['lines']; by?: TestMember } = {},
) =>
  call(
    api.importOrderPayments,
    {
      body: {
        file: Buffer.from(csv).toString('base64'),
        ...(seen && { seen: seen.map(({ id, updatedAt }) => ({ id, updatedAt })) }),
      },
    },
    { token: by.token },
  )
const plan = async (...given: Parameters<typeof send>) => (await send(...given)).body
const csv = (...rows: string[][]) =>
  [['reference', 'txId', 'amount', 'date', 'complete'], ...rows].map((row) => row.join(',')).join('\r\n')
const stateOf = async (id: string) => {
  const { order, paidAmount, paidAt } = (
    await call(api.getConsoleOrder, { params: { id } }, { token: finance.token })
  ).body
  return { status: order.status, txId: order.txId, paidAmount, paidAt }
}

test('a dry run shows the changes without making them; then all are made', async () => {
  const [paid, done] = [await anUnpaid(), await anUnpaid()]
  const [first, second] = [tx(), tx()]
  const file = csv(
    [paid.reference, first, '1.4', '2026-02-01', ''],
    [done.reference, second, '1.50', '2026-02-01 09:30', 'yes'],
  )
  const shown = await plan(file)
  expect(shown).toMatchObject({
    state: 'checked',
    problems: [],
    lines: [
      {
        line: 2,
        id: paid.id,
        effect: 'records',
        txId: first,
        txIdBefore: '',
        due: '1.5',
        amount: '1.4',
        difference: '-0.1',
      },
      { line: 3, id: done.id, effect: 'completes', difference: '0' },
    ],
  })
  expect(await stateOf(done.id)).toMatchObject({ status: 'pending', txId: '', paidAmount: null })

  expect(await plan(file, { seen: shown.lines })).toMatchObject({ state: 'applied', problems: [] })
  expect(await stateOf(paid.id)).toEqual({
    status: 'pending',
    txId: first,
    paidAmount: '1.4',
    paidAt: '2026-02-01T00:00:00.000Z',
  })
  expect(await stateOf(done.id)).toMatchObject({ status: 'completed', txId: second })
  const kinds = (await mailsTo(buyer.email)).map(({ kind }) => kind)
  expect(kinds.at(-1)).toBe('order-delivery-address-needed')
  expect(kinds).not.toContain('order-completed')
})

test('importing the same file again changes nothing, in preview or execution', async () => {
  const order = await anUnpaid()
  const file = csv([order.reference, tx(), '1.5', paidOn, 'yes'])
  const { lines } = await plan(file)
  await plan(file, { seen: lines })
  const steps = async () =>
    (await call(api.getConsoleOrder, { params: { id: order.id } }, { token: finance.token })).body.steps
  const before = await steps()
  const mails = (await mailsTo(buyer.email)).length
  expect(await plan(file)).toMatchObject({ state: 'checked', lines: [{ effect: 'nothing' }] })
  // The response was lost, and the client repeats the request.
  expect(await plan(file, { seen: lines })).toMatchObject({
    state: 'applied',
    lines: [{ effect: 'nothing' }],
  })
  expect(await steps()).toEqual(before)
  expect((await mailsTo(buyer.email)).length).toBe(mails)
})

test('names what changed since the preview, and changes nothing', async () => {
  const [still, changed] = [await anUnpaid(), await anUnpaid()]
  const file = csv(
    [still.reference, tx(), '1.5', paidOn, 'yes'],
    [changed.reference, tx(), '1.5', paidOn, 'yes'],
  )
  const { lines } = await plan(file)
  const fields = { _id: changed.id, fabAddress: ownAddress, reason: 'Asked by the member.' }
  await call(api.updateOrder, { body: fields }, { token: colleague.token })
  const answer = await plan(file, { seen: lines })
  expect(answer).toMatchObject({ state: 'changed', lines: [{ isChanged: false }, { isChanged: true }] })
  expect(await stateOf(still.id)).toMatchObject({ status: 'pending', txId: '' })
  expect(await plan(file, { seen: answer.lines })).toMatchObject({ state: 'applied' })
})

test('names each problem with its line and column, records the good line, and keeps the others', async () => {
  const [good, twice, taken, closed, late, own] = [
    await anUnpaid(),
    await anUnpaid(),
    await anUnpaid({ txId: tx() }),
    await anUnpaid({ status: 'cancelled' }),
    await anUnpaid({ reportedLate: true }),
    await anUnpaid({}, finance),
  ]
  const [goodTx, takenTx] = [tx(), (await stateOf(taken.id)).txId]
  const rows = [
    [good.reference, goodTx, '1.5', paidOn, ''],
    [twice.reference, goodTx, '1.5', paidOn, ''],
    [twice.reference, tx(), '1.5', paidOn, ''],
    [good.reference, takenTx, '1.5', paidOn, ''],
    ['00000-00000', tx(), '1.5', paidOn, ''],
    ['', tx(), '1,5'.replace(',', '٫'), '2026-02-30', 'maybe'],
    [closed.reference, tx(), '1.5', paidOn, ''],
    [late.reference, tx(), '1.5', paidOn, 'yes'],
    [own.reference, tx(), '1.5', paidOn, ''],
    [taken.reference, tx(), '1.5', paidOn, ''],
    ['=1+1', tx(), '-1', '2999-01-01', ''],
  ]
  const file = csv(...rows)
  const { state, problems, ignored } = await plan(file)
  expect(state).toBe('checked')
  expect(problems.map(({ line, column, problem }) => `${line} ${column} ${problem}`)).toEqual([
    '3 txId tx_twice',
    '4 reference order_twice',
    '5 reference order_twice',
    '6 reference unknown_order',
    '7 amount number',
    '8 reference closed',
    '9 complete unsettled',
    '10 reference own_order',
    '11 txId other_tx',
  ])
  expect(ignored).toBe(1)
  const seen = (await plan(csv(rows[0]!))).lines
  const done = await plan(file, { seen })
  expect(done).toMatchObject({ state: 'applied', open: 9 })
  expect(await stateOf(good.id)).toMatchObject({ txId: goodTx, paidAmount: '1.5' })
  for (const { id } of [twice, late, own]) expect(await stateOf(id)).toMatchObject({ paidAmount: null })
})

test('keeps a line that asks to complete although its amount is not what is due', async () => {
  const order = await anUnpaid()
  expect(await plan(csv([order.reference, tx(), '1.49', paidOn, 'yes']))).toMatchObject({
    state: 'checked',
    open: 1,
    problems: [{ line: 2, column: 'amount', problem: 'amount_differs', value: '1.5' }],
  })
})

test('does not complete an order whose member has withdrawn', async () => {
  const txId = tx()
  const { id, reference } = await anUnpaid({ txId })
  const placedAt = new Date()
  await services.db.updateTable('token_order').set({ created_at: placedAt }).where('id', '=', id).execute()
  const today = placedAt.toISOString().slice(0, 10)
  const body = { refundAddress: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb' }
  await call(api.requestWithdrawal, { params: { id }, body }, { token: buyer.token })
  expect((await plan(csv([reference, txId, '1.5', today, 'yes']))).problems).toEqual([
    { line: 2, column: 'complete', problem: 'withdrawn', value: reference },
  ])
  expect((await plan(csv([reference, txId, '1.5', today, '']))).lines).toMatchObject([{ effect: 'records' }])
})

test('does not use a transaction of an order outside the file twice', async () => {
  const [other, order] = [await anUnpaid({ txId: tx() }), await anUnpaid()]
  const { txId } = await stateOf(other.id)
  expect(
    await plan(csv([order.reference, txId.toUpperCase().replace('0X', '0x'), '1.5', paidOn, ''])),
  ).toMatchObject({
    problems: [{ line: 2, column: 'txId', problem: 'tx_used' }],
  })
})

test('above the threshold a line proposes, and another officer approves on the order’s page', async () => {
  const order = await anUnpaid({ fabQty: '1000000' })
  const file = csv([order.reference, tx(), '1.5', paidOn, 'yes'])
  const shown = await plan(file)
  expect(shown.lines).toMatchObject([{ effect: 'proposes' }])
  await plan(file, { seen: shown.lines })
  expect(await stateOf(order.id)).toMatchObject({ status: 'pending' })
  expect((await plan(file)).lines).toMatchObject([{ effect: 'nothing' }])
  const theirs = await plan(file, { by: colleague })
  expect(theirs.lines).toMatchObject([{ effect: 'nothing', held: 'proposed' }])
  await plan(file, { seen: theirs.lines, by: colleague })
  expect(await stateOf(order.id)).toMatchObject({ status: 'pending' })
  const body = { _id: order.id, status: 'completed' as const }
  await call(api.updateOrder, { body }, { token: colleague.token })
  expect(await stateOf(order.id)).toMatchObject({ status: 'completed' })
})

const head = 'reference,txId,amount'
test.each<[string, string | Buffer, object[]]>([
  ['nothing', ' ', [{ line: 0, problem: 'empty' }]],
  ['a heading alone', head, [{ line: 0, problem: 'empty' }]],
  ['one column', 'reference\nx', [{ line: 0, problem: 'separator' }]],
  ['a workbook', Buffer.from('504b0304140000000800ff', 'hex'), [{ line: 0, problem: 'encoding' }]],
  ['UTF-16 without its mark', Buffer.from(head, 'utf16le'), [{ line: 0, problem: 'encoding' }]],
  ['too many lines', `${head}\n${'x,y,1\n'.repeat(1001)}`, [{ line: 0, problem: 'too_many_lines' }]],
])('a file of %s is refused with a sentence', async (_, file, problems) => {
  expect(await plan(file)).toMatchObject({ state: 'refused', problems, lines: [] })
})

test('rejects a file of more than 1 MiB', async () => {
  expect((await send(head + ' '.repeat(1024 * 1024))).problem.errors).toMatchObject([
    { path: 'file', code: 'too_long' },
  ])
})

test.each<[string, (text: string) => string | Buffer]>([
  ['with a byte order mark', (text) => `\uFEFF${text}`],
  ['with semicolons', (text) => text.replaceAll(',', ';')],
  ['with tabs in UTF-16', (text) => Buffer.from(`\uFEFF${text.replaceAll(',', '\t')}`, 'utf16le')],
  ['in UTF-16, big end first', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['with quotes and empty lines', (text) => `\n${text.replaceAll(/[^,\r\n]+/g, '"$&"')}\r\n\r\n,,,,\r\n`],
  [
    'with columns in another order',
    (text) =>
      text
        .split('\r\n')
        .map((row) => row.split(',').toReversed().join(','))
        .join('\n'),
  ],
])('files of spreadsheets are read: %s', async (_, write) => {
  const order = await anUnpaid()
  const answer = await plan(write(csv([order.reference, tx(), '1.5', '2026-02-01', 'Yes'])))
  expect(answer).toMatchObject({ state: 'checked', lines: [{ id: order.id, effect: 'completes' }] })
})

async function importMany(count: number): Promise<void> {
  const rows: string[][] = []
  for (let at = 0; at < count; at += 1) rows.push([(await anUnpaid()).reference, tx(), '1.5', paidOn, 'yes'])
  const file = csv(...rows)
  const { lines } = await plan(file)
  expect(lines).toHaveLength(count)
  const answer = await send(file, { seen: lines })
  expect(answer.problem.code).toBeUndefined()
  expect(answer.body.state).toBe('applied')
}

test('records many payments in one transaction', () => importMany(40))
test('records a thousand payments in one transaction', { tags: ['nightly'], timeout: 120_000 }, () =>
  importMany(1000),
)

test('two concurrent imports of one file record it once', async () => {
  const order = await anUnpaid()
  const file = csv([order.reference, tx(), '1.5', paidOn, 'yes'])
  const { lines } = await plan(file)
  const answers = await Promise.all([plan(file, { seen: lines }), plan(file, { seen: lines, by: colleague })])
  expect(answers.map(({ state }) => state)).toEqual(['applied', 'applied'])
  const { steps } = (await call(api.getConsoleOrder, { params: { id: order.id } }, { token: finance.token }))
    .body
  expect(steps.filter(({ kind }) => kind === 'completed')).toHaveLength(1)
})

test('a preview needs no step-up, but recording does', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await letProofAge(started, officer)
  const file = csv([(await anUnpaid()).reference, tx(), '1.5', paidOn, ''])
  const shown = await send(file, { by: officer })
  expect(shown.body.state).toBe('checked')
  expect((await send(file, { by: officer, seen: shown.body.lines })).problem.code).toBe('step_up_required')
})

test('logs who imported how many lines, without their content', async () => {
  const { detail } = await services.db
    .selectFrom('audit_entry')
    .select('detail')
    .where('action', '=', 'order-payments-imported')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  expect(detail).toEqual({ count: 2 })
})
