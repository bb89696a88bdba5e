import { shownReference } from '../../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { bankMapping, linesAbout } from '#tests/statements.ts'

/* A recorded refund is matched to one debit. Any other debit that names the order may be a returned payment. */

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: officer.token }
const day = (offset: number) => new Date(Date.now() + offset * DAY).toISOString().slice(0, 10)
const reason = 'Agreed with the member.'

async function aPaid() {
  const member = await aSignedInMember(started)
  const values = { payMethod: 'Bank', currency: 'EUR', fabQty: '5', amount: '100', paidAmount: '100' }
  const { id, reference } = await anOrder(started, member.id, values)
  const placed = { created_at: new Date(Date.now() - 10 * DAY) }
  await services.db.updateTable('token_order').set(placed).where('id', '=', id).execute()
  const refundAddress = 'DE02 1203 0000 0000 2020 51'
  const asked = { params: { id }, body: { refundAddress } }
  const withdrawal = (await call(api.requestWithdrawal, asked, { token: member.token })).body.id
  await call(api.acceptWithdrawal, { params: { id: withdrawal }, body: {} }, { token: colleague.token })
  return { id, reference: shownReference(reference), withdrawal }
}
type Paid = Awaited<ReturnType<typeof aPaid>>
async function refund({ id, reference, withdrawal }: Paid, amount = '100', currency = 'EUR') {
  const shown = await call(api.getConsoleWithdrawal, { params: { id } }, { token: colleague.token })
  const { updatedAt } = shown.body.withdrawal!
  const txId = `Sent at ${updatedAt} for ${reference}`
  const body = { amount, currency, txId, paidOn: day(-3), reason, updatedAt }
  const given = { params: { id: withdrawal }, body }
  expect((await call(api.recordRefund, given, { token: colleague.token })).body.state).toBe('refunded')
  return txId
}
async function aRefunded(...amounts: string[]) {
  const order = await aPaid()
  for (const amount of amounts) await refund(order, amount)
  return order
}

type Debit = { on: number; amount?: string; purpose: string }
const csv = (...debits: Debit[]) =>
  [
    'Date;Amount;Purpose',
    ...debits.map(({ on, amount = '100', purpose }) => `${day(on)};-${amount};${purpose}`),
    '',
  ].join('\n')
const camt = (...debits: Debit[]) =>
  `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt>${debits
    .map(
      ({ on, amount = '100', purpose }) =>
        `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
        <BookgDt><Dt>${day(on)}</Dt></BookgDt><AcctSvcrRef>${purpose} ${on}</AcctSvcrRef>
        <NtryDtls><TxDtls><RmtInf><Ustrd>${purpose}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    )
    .join('')}</Stmt></BkToCstmrStmt></Document>`

/** Imports a statement after checking that its preview shows the same. */
async function importing(text: string, as = bankMapping) {
  const file = Buffer.from(text).toString('base64')
  const send = (more: object) =>
    call(
      api.importOrderPayments,
      { body: { file, ...(!text.startsWith('<') && { mapping: as }), ...more } },
      by,
    )
  const shown = (await send({})).body
  const { body } = await send({ seen: [], preview: shown.preview })
  const outcomeOf = ({ open, ignored, duplicates }: typeof body) => ({ open, ignored, duplicates })
  expect(body.state).toBe('applied')
  expect(outcomeOf(shown)).toEqual(outcomeOf(body))
  return outcomeOf(body)
}
const openLines = (reference: string) => linesAbout(started, officer, reference)
const dismiss = (id: string) => call(api.dismissStatementLine, { params: { id }, body: { reason } }, by)
const flagsOf = async (id: string) => (await call(api.getConsoleOrder, { params: { id } }, by)).body.flags

test.each([
  ['CSV', csv],
  ['CAMT.053', camt],
])('a return of the amount that was refunded as well is left open: %s', async (_, fileOf) => {
  const { id, reference } = await aRefunded('100')
  const [back, sent] = [`Return ${reference}`, `Refund ${reference}`]
  const file = fileOf({ on: -2, purpose: back }, { on: -3, purpose: sent })
  expect(await importing(file)).toEqual({ open: 1, ignored: 1, duplicates: 0 })
  expect(await openLines(reference)).toMatchObject([{ problem: 'returned', reference: back }])
  expect(await flagsOf(id)).toContain('payment_returned')
  expect(await importing(file)).toEqual({ open: 1, ignored: 1, duplicates: 0 })
  expect(await importing(fileOf({ on: -1, purpose: `Recall ${reference}` }))).toMatchObject({ open: 1 })
})

test.each([
  ['CSV', csv],
  ['CAMT.053', camt],
])('a return in a later statement than the refund is left open: %s', async (_, fileOf) => {
  const { id, reference } = await aRefunded('100')
  const sent = fileOf({ on: -3, purpose: `Refund ${reference}` })
  for (const _ of ['first', 'again'])
    expect(await importing(sent)).toEqual({ open: 0, ignored: 1, duplicates: 0 })
  expect(await flagsOf(id)).not.toContain('payment_returned')
  const file = fileOf({ on: -2, purpose: `Return ${reference}` })
  expect(await importing(file)).toEqual({ open: 1, ignored: 0, duplicates: 0 })
  expect(await flagsOf(id)).toContain('payment_returned')
})

test('a refund that was sent twice, and replaced, explains one debit', async () => {
  const { reference } = await aRefunded('60', '60')
  const debits = ['first', 'second'].map((each) => ({
    on: -3,
    amount: '60',
    purpose: `${each} ${reference}`,
  }))
  expect(await importing(csv(...debits))).toMatchObject({ open: 1, ignored: 1 })
})

test('a replaced refund doesn’t explain a second debit with its new amount', async () => {
  const order = await aRefunded('60')
  const purpose = `Refund ${order.reference}`
  expect(await importing(csv({ on: -3, amount: '60', purpose }))).toMatchObject({ open: 0 })
  await refund(order, '61')
  expect(await importing(csv({ on: -3, amount: '61', purpose }))).toMatchObject({ open: 1 })
})

test('a refund whose debit was dismissed before it was recorded explains no other debit', async () => {
  const order = await aPaid()
  await importing(csv({ on: -3, purpose: `Refund ${order.reference}` }))
  const [line] = await openLines(order.reference)
  await dismiss(line!.id)
  await refund(order)
  expect(await importing(csv({ on: -2, purpose: `Return ${order.reference}` }))).toMatchObject({ open: 1 })
})

test('a debit that was booked before the refund was sent isn’t the refund', async () => {
  const { reference } = await aRefunded('100')
  expect(await importing(csv({ on: -6, purpose: `Return ${reference}` }))).toMatchObject({ open: 1 })
  expect(await importing(csv({ on: -3, purpose: `Refund ${reference}` }))).toMatchObject({ ignored: 1 })
})

test('a debit that names two orders is the refund of neither', async () => {
  const [first, second] = [await aRefunded('100'), await aRefunded('100')]
  const purpose = `Return ${first.reference} ${second.reference}`
  expect(await importing(csv({ on: -3, purpose }))).toMatchObject({ open: 1 })
  for (const { id } of [first, second]) expect(await flagsOf(id)).toContain('payment_returned')
})

test('the preview counts debits that the import keeps, so that a file with nothing else is imported', async () => {
  const { reference } = await aRefunded('100')
  const file = Buffer.from(csv({ on: -3, purpose: `Refund ${reference}` })).toString('base64')
  expect(
    (await call(api.importOrderPayments, { body: { file, mapping: bankMapping } }, by)).body,
  ).toMatchObject({
    open: 0,
    kept: 1,
  })
})

test.each([
  ['CSV', csv],
  ['CAMT.053', camt],
])('a refund in another coin doesn’t explain that the bank returned the payment: %s', async (_, fileOf) => {
  const order = await aPaid()
  await refund(order, '100', 'USDC')
  const purpose = `Return ${order.reference}`
  expect(await importing(fileOf({ on: -2, purpose }))).toEqual({ open: 1, ignored: 0, duplicates: 0 })
  expect(await openLines(order.reference)).toMatchObject([{ problem: 'returned' }])
  expect(await flagsOf(order.id)).toContain('payment_returned')
})

test('a refund explains no debit with another transaction', async () => {
  const order = await aPaid()
  const txId = await refund(order)
  const withTransaction = { ...bankMapping, columns: { ...bankMapping.columns, txId: 3 } }
  const debit = (id: string) => `Date;Amount;Purpose;Id\n${day(-2)};-100;Sent ${order.reference};${id}\n`
  expect(await importing(debit('Another transfer'), withTransaction)).toMatchObject({ open: 1, ignored: 0 })
  expect(await importing(debit(txId), withTransaction)).toMatchObject({ open: 0, ignored: 1 })
})
