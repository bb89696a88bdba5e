import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, proveIdentity, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { importStatement, linesAbout } from '#tests/statements.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

/* An order names only the first of two transactions that paid it. The other one pays no other order either. */

const reason = 'As agreed.'
const by = ({ token }: TestMember) => ({ token })

const sale = await aWatchedSale({ ORDER_TWO_PERSONS_FROM: 'off', WITHDRAWAL_DAYS: '14' }, afterAll)
const { started, buyer, chain } = sale
const { call } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })

async function anOrderInParts(member = buyer) {
  const id = (await anOrderOf(started, member, 'BTC', '0.05'))._id
  await chain.pay({ [id]: '0.03' })
  await chain.look()
  const second = await chain.pay({ [id]: '0.02' })
  chain.mine(4)
  await chain.look()
  await chain.look()
  return { id, second }
}
const change = (_id: string, body: object, officer = finance) =>
  call(api.updateOrder, { body: { _id, reason, ...body } }, by(officer))
const detail = async (id: string) => (await call(api.getConsoleOrder, { params: { id } }, by(finance))).body
const report = (id: string, txId: string, member: TestMember) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, by(member))

test.each(['pending', 'completed', 'cancelled'] as const)(
  'another member’s report of it is a dispute if the order is %s',
  async (status) => {
    const { id, second } = await anOrderInParts()
    if (status !== 'pending') expect((await change(id, { status, paidAmount: '0.05' })).status).toBe(200)
    const other = await aBuyer(started)
    const theirs = (await anOrderOf(started, other, 'BTC', '0.02'))._id
    const reported = await report(theirs, second, other)
    expect([reported.status, reported.problem.errors?.[0]?.code]).toEqual([409, 'tx_used'])
    expect((await detail(theirs)).order.disputed).toBe(true)
  },
)

test('finance enters it for another order only with a confirmation', async () => {
  const { id, second } = await anOrderInParts()
  expect((await change(id, { status: 'completed', paidAmount: '0.05' })).status).toBe(200)
  const theirs = (await anOrderOf(started, await aBuyer(started), 'BTC', '0.02'))._id
  const body = { txId: second, paidAmount: '0.02', status: 'completed' }
  const entered = await change(theirs, body)
  expect([entered.status, entered.problem.errors?.[0]?.code]).toEqual([409, 'tx_used'])
  expect((await change(theirs, { ...body, sharesTransaction: true })).status).toBe(200)
})

test('an order that shares it with the officer’s own is decided by others', async () => {
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const theirs = (await anOrderOf(started, await aBuyer(started), 'BTC', '0.05'))._id
  await chain.pay({ [theirs]: '0.03' })
  await chain.look()
  await proveIdentity(started, officer)
  const own = (await anOrderOf(started, officer, 'BTC', '0.05'))._id
  await chain.pay({ [own]: '0.03' })
  await chain.look()
  await chain.pay({ [own]: '0.02', [theirs]: '0.02' })
  chain.mine(4)
  await chain.look()
  await chain.look()
  expect((await change(theirs, { paidAmount: '0.05' }, officer)).status).toBe(403)
})

test('one transaction that pays two orders of a member in part is no dispute', async () => {
  const ids = [
    (await anOrderOf(started, buyer, 'BTC', '0.05'))._id,
    (await anOrderOf(started, buyer, 'BTC', '0.05'))._id,
  ]
  for (const id of ids) await chain.pay({ [id]: '0.03' })
  await chain.look()
  await chain.pay(Object.fromEntries(ids.map((id) => [id, '0.02'])))
  chain.mine(4)
  await chain.look()
  await chain.look()
  for (const id of ids) {
    expect((await detail(id)).order.disputed).toBe(false)
    expect((await change(id, { status: 'completed', paidAmount: '0.05' })).status).toBe(200)
  }
})

test('a statement line with it warns before it pays another order, and blocks the order if it was returned', async () => {
  const { id, second } = await anOrderInParts()
  const reader = await aSignedInMember(started, { manage_finance: 2 })
  const today = new Date().toISOString().slice(0, 10)
  const columns = { date: 0, amount: 1, reference: 2, txId: 3, direction: 4 }
  const mapping = { columns, currency: 'BTC', numbers: 'point', dates: 'iso' } as const
  const lines = (direction: string) =>
    `Date;Amount;Text;Transaction;Direction\n${today};0.02;Transfer;${second};${direction}\n`
  await importStatement(started, reader, lines('C'), mapping)
  const [credit] = await linesAbout(started, reader, second)
  expect(credit!.orderId).toBe(id)
  const { reference } = await anOrderOf(started, await aBuyer(started), 'BTC', '0.02')
  const params = { id: credit!.id }
  const assigned = await call(api.assignStatementLine, { params, body: { reference, reason } }, by(finance))
  expect([assigned.status, assigned.problem.errors?.[0]?.code]).toEqual([400, 'looks_imported'])
  await importStatement(started, reader, lines('D'), mapping)
  expect((await detail(id)).flags).toContain('payment_returned')
})
