import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { StatementMapping } from '#contract/money/statements.ts'
import {
  anOrder,
  aSale,
  aSignedInMember,
  proveIdentity,
  saleSettings,
  type TestMember,
} from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* An officer who influenced what counts as the payment of an order can't refund or close it alone. */

const settings = { WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000', SALE_FOUR_EYES: 'off' }
const started = await startApi(settings, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const colleague = await aSignedInMember(started, { manage_finance: 2 })
const today = new Date().toISOString().slice(0, 10)
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const reason = 'As the exchange shows.'
const as = ({ token }: TestMember) => ({ token })

let count = 0
const aTxId = () => `0x${(count += 1).toString(16).padStart(64, 'e')}`
const mapping: StatementMapping = {
  columns: { date: 0, amount: 1, currency: 2, txId: 3, status: 4, address: 6 },
  numbers: 'point',
  dates: 'iso',
}
type Row = { txId?: string; address?: string; status?: string; amount?: string }

/** Imports an export of an exchange, after its preview. */
async function importRows(by: TestMember, ...rows: Row[]) {
  const lines = rows.map(
    ({ txId = '', address = '', status = 'Completed', amount = '1.5' }) =>
      `${today},${amount},ETH,${txId},${status},${(count += 1)},${address}`,
  )
  const text = ['Date,Amount,Coin,TxID,Status,Note,Address', ...lines, ''].join('\n')
  const body = { file: Buffer.from(text).toString('base64'), mapping }
  const shown = (await call(api.importOrderPayments, { body }, as(by))).body
  const seen = shown.lines.map(({ id, updatedAt }) => ({ id, updatedAt }))
  const done = (await call(api.importOrderPayments, { body: { ...body, seen } }, as(by))).body
  expect(done.state).toBe('applied')
  return done
}
async function dismissLineOf(txId: string, by = officer) {
  const { body } = await call(api.listStatementLines, { query: { limit: 100 } }, as(by))
  const line = body.find((each) => each.txId === txId)!
  const answer = await call(api.dismissStatementLine, { params: { id: line.id }, body: { reason } }, as(by))
  expect(answer.status).toBe(200)
}
type Change = Omit<Parameters<typeof call<typeof api.updateOrder>>[1]['body'], '_id'>
const update = (by: TestMember, _id: string, change: Change) =>
  call(api.updateOrder, { body: { _id, ...change } }, as(by))
const report = (member: TestMember, id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, as(member))
const show = async (id: string) => (await call(api.getConsoleOrder, { params: { id } }, as(colleague))).body
const request = (member: TestMember, id: string) =>
  call(api.requestWithdrawal, { params: { id }, body: { refundAddress } }, as(member))

/** Withdraws from the order, and has one officer accept and refund alone. Returns the state at the end. */
async function refundAlone(member: TestMember, orderId: string) {
  const { id } = (await request(member, orderId)).body
  await call(api.acceptWithdrawal, { params: { id }, body: {} }, as(officer))
  const body = { amount: '1.5', txId: aTxId(), paidOn: today, reason }
  await call(api.recordRefund, { params: { id }, body }, as(officer))
  const { body: detail } = await call(api.getConsoleWithdrawal, { params: { id: orderId } }, as(colleague))
  return detail.withdrawal?.withdrawal.state
}

async function aMemberWithOrder(fabQty = '10') {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty })
  return { member, id }
}

test('the officer who named the transaction doesn’t refund what a colleague imports for it', async () => {
  const { member, id } = await aMemberWithOrder()
  const txId = aTxId()
  expect((await update(officer, id, { txId })).status).toBe(200)
  expect((await importRows(colleague, { txId })).lines[0]?.effect).toBe('records')
  expect(await refundAlone(member, id)).toBe('accepted')
})

test('the officer who moved a transaction from another order doesn’t refund it alone', async () => {
  const [payer, friend] = [await aMemberWithOrder(), await aMemberWithOrder()]
  const txId = aTxId()
  await report(payer.member, payer.id, txId)
  expect((await update(officer, payer.id, { txId: null, reason })).status).toBe(200)
  expect((await update(officer, friend.id, { txId, sharesTransaction: true, reason })).status).toBe(200)
  await importRows(colleague, { txId })
  expect(await refundAlone(friend.member, friend.id)).toBe('accepted')
})

test('a return that was dismissed before an order got its transaction blocks that order', async () => {
  const { member, id } = await aMemberWithOrder()
  const txId = aTxId()
  await importRows(officer, { txId, status: 'Refunded' })
  await dismissLineOf(txId)
  expect((await report(member, id, txId)).status).toBe(200)
  await update(colleague, id, { paidAmount: '1.5' })
  expect((await show(id)).flags).toContain('payment_returned')
  expect((await update(colleague, id, { status: 'completed' })).problem.code).toBe('conflict')
  expect(await refundAlone(member, id)).toBe('requested')
  const { body } = await call(
    api.listStatementLines,
    { query: { state: 'dismissed', limit: 100 } },
    as(officer),
  )
  const line = body.find((each) => each.txId === txId)!
  await call(api.reopenStatementLine, { params: { id: line.id }, body: { reason } }, as(officer))
  await dismissLineOf(txId)
  expect((await show(id)).flags).not.toContain('payment_returned')
})

test('dismissing a return of a former transaction ends proposals and is seen by the next approver', async () => {
  const { member, id } = await aMemberWithOrder('60000')
  const [former, now] = [aTxId(), aTxId()]
  await report(member, id, former)
  await report(member, id, now)
  const proposed = await update(colleague, id, { status: 'completed', paidAmount: '1.5', reason })
  expect(proposed.body.status).toBe('pending')
  await importRows(officer, { txId: former, status: 'Refunded' })
  await dismissLineOf(former)
  const { steps, proposal } = await show(id)
  expect([steps.at(-1)?.kind, proposal?.counts]).toEqual(['line_dismissed', false])
  expect((await update(officer, id, { status: 'completed' })).body.status).not.toBe('completed')
})

test('the officer who dismissed a return of a former transaction doesn’t refund alone', async () => {
  const { member, id } = await aMemberWithOrder()
  const [former, now] = [aTxId(), aTxId()]
  await report(member, id, former)
  await report(member, id, now)
  await update(colleague, id, { paidAmount: '1.5' })
  await importRows(officer, { txId: former, status: 'Refunded' })
  await dismissLineOf(former)
  expect(await refundAlone(member, id)).toBe('accepted')
})

test('an import doesn’t complete an order whose former transaction is returned in the same file', async () => {
  const { member, id } = await aMemberWithOrder()
  const [former, now] = [aTxId(), aTxId()]
  await report(member, id, former)
  await report(member, id, now)
  const { order } = await show(id)
  const rows = [`${order.reference},${now},1.5,${today},yes`, `,${former},-1.5,${today},`]
  const text = ['reference,txId,amount,date,complete', ...rows, ''].join('\n')
  const body = { file: Buffer.from(text).toString('base64') }
  const shown = (await call(api.importOrderPayments, { body }, as(colleague))).body
  expect(shown.lines.map(({ effect }) => effect)).not.toContain('completes')
  const seen = shown.lines.map(({ id: orderId, updatedAt }) => ({ id: orderId, updatedAt }))
  await call(api.importOrderPayments, { body: { ...body, seen } }, as(colleague))
  expect(await show(id)).toMatchObject({
    order: { status: 'pending' },
    flags: expect.arrayContaining(['payment_returned']),
  })
})

test('a return that names only the order’s own address blocks the order', async () => {
  const member = await aSignedInMember(started)
  const address = '0xde709f2102306220921060314715629080e2fb77'
  const { id } = await anOrder(started, member.id, { fabQty: '10', receivingAddress: address })
  const account = { id: 'an account', coin: 'ETH', next_position: 1000 }
  await services.db.insertInto('chain_account').values(account).execute()
  await services.db
    .insertInto('chain_address')
    .values({ coin: 'ETH', target: address, address, order_id: id, account_id: account.id, position: 1 })
    .execute()
  await importRows(colleague, { address, status: 'Refunded' })
  expect((await show(id)).flags).toContain('payment_returned')
})

test('an open line with the transaction of an order keeps it from being closed as unpaid', async () => {
  const [small, large] = [await aMemberWithOrder(), await aMemberWithOrder('60000')]
  const [one, two] = [aTxId(), aTxId()]
  await importRows(colleague, { txId: one }, { txId: two })
  await report(small.member, small.id, one)
  await report(large.member, large.id, two)
  const { id } = (await request(small.member, small.id)).body
  const closed = await call(api.closeWithdrawal, { params: { id }, body: { reason } }, as(officer))
  expect(closed.problem.code).toBe('conflict')
  const cancelled = await update(officer, large.id, { status: 'cancelled', reason })
  expect(cancelled.problem.errors).toMatchObject([{ path: 'status', code: 'refund_first' }])
})

test('finance can’t replace the refund address that the member gave', async () => {
  const { member, id } = await aMemberWithOrder()
  expect((await request(member, id)).body.state).toBe('unpaid')
  await update(colleague, id, { paidAmount: '1.5', reason })
  const open = (address?: string) =>
    call(
      api.openRefund,
      { params: { id }, body: { reason, ...(address && { refundAddress: address }) } },
      as(officer),
    )
  const other = await open('0x52908400098527886E0F7030069857D2E4169EE7')
  expect(other.problem.errors).toMatchObject([{ path: 'refundAddress', code: 'mismatch' }])
  expect((await open()).status).toBe(200)
  const { body } = await call(api.getConsoleWithdrawal, { params: { id } }, as(colleague))
  expect(body.withdrawal?.withdrawal.refundAddress).toBe(refundAddress)
})

test.each([
  ['directly', []],
  ['through another address', ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa']],
  ['after its payment method was removed', [null]],
])('an order at a receiving address that is set back %s is flagged', async (_, between) => {
  await services.db.deleteFrom('withdrawn_address').execute()
  await services.db.deleteFrom('setting_version').execute()
  await aSale(started)
  const [btc, eth] = saleSettings().payMethods
  const editor = await aSignedInMember(started, { manage_coins: 2 })
  const member = await aSignedInMember(started)
  await proveIdentity(started, member)
  const save = async (receivingAddress: string | null) => {
    const payMethods = receivingAddress === null ? [eth!] : [{ ...btc!, receivingAddress }, eth!]
    const body = { ...saleSettings(), payMethods, confirmedRates: { BTC: btc!.rate } }
    expect((await call(api.updateSaleSettings, { body }, as(editor))).status).toBe(200)
  }
  await save('1BoatSLRHtKNngkdXEeobR76b53LETtpyT')
  const quote = await call(api.createQuote, { body: { payMethod: 'BTC', amount: '0.01' } }, as(member))
  const order = await call(api.createOrder, { body: { quoteId: quote.body.quoteId } }, as(member))
  for (const each of between) await save(each)
  await save(btc!.receivingAddress)
  expect((await show(order.body._id)).flags).toContain('address_withdrawn')
})
