import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { WithdrawalFilters } from '#contract/money/console-withdrawals.ts'
import { anOrder, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letRefundBeDue } from '#tests/withdrawals.ts'

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call } = started
const refundAddress = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
const today = new Date().toISOString().slice(0, 10)
const first = await aSignedInMember(started, { manage_finance: 2 })
const second = await aSignedInMember(started, { manage_finance: 2 })
let counter = 0
const aTx = () => `0x${(++counter).toString(16).padStart(64, '0')}`

async function aWithdrawal(fields: Parameters<typeof anOrder>[2] = {}, owner?: TestMember) {
  const member = owner ?? (await aSignedInMember(started))
  const { id: orderId } = await anOrder(started, member.id, {
    txId: aTx(),
    fabQty: '10',
    paidAmount: '1.5',
    ...fields,
  })
  const input = { params: { id: orderId }, body: { refundAddress } }
  const { body } = await call(api.requestWithdrawal, input, { token: member.token })
  return { orderId, id: body.id }
}

const accept = (by: TestMember, id: string) =>
  call(api.acceptWithdrawal, { params: { id }, body: {} }, { token: by.token })
const refund = (by: TestMember, id: string) =>
  call(
    api.recordRefund,
    { params: { id }, body: { amount: '1.5', txId: aTx(), paidOn: today } },
    { token: by.token },
  )
const list = async (query: WithdrawalFilters) =>
  (await call(api.listConsoleWithdrawals, { query: { limit: 100, ...query } }, { token: first.token })).body

test('finance’s home page counts pending and overdue withdrawals, except their own', async () => {
  const waiting = async (by: TestMember) => {
    const { body } = await call(api.listNeedsAttention, {}, { token: by.token })
    const of = (what: string) => body.find((each) => each.what === what)!.count
    return [of('withdrawals_open'), of('withdrawals_overdue')]
  }
  const [open, overdue] = await waiting(second)
  const { orderId, id } = await aWithdrawal({}, first)
  expect(await waiting(second)).toEqual([open! + 1, overdue])
  await letRefundBeDue(started, orderId)
  expect(await waiting(second)).toEqual([open! + 1, overdue! + 1])
  expect(await waiting(first)).toEqual([open, overdue])
  expect((await list({ flag: 'overdue' })).map((row) => row.id)).toContain(id)
  await accept(second, id)
  expect((await list({ flag: 'overdue' })).map((row) => row.state)).toContain('accepted')
  await refund(second, id)
  expect(await waiting(second)).toEqual([open, overdue])
})

test('filters and sorts the list; exports contain the list, or refunds only', async () => {
  const one = await aWithdrawal()
  const other = await aWithdrawal({ payMethod: 'BTC', payChain: 'ethereum' })
  await accept(first, one.id)
  await refund(first, one.id)
  const { reference, orderReference, memberEmail } = (await list({ state: 'refunded' }))[0]!
  const ids = async (query: WithdrawalFilters) => (await list(query)).map((row) => row.id)
  for (const q of [reference, reference.slice(0, 7), orderReference, memberEmail])
    expect(await ids({ q }), q).toContain(one.id)
  expect(await ids({ q: 'nobody@example.org' })).toEqual([])
  expect(await ids({ coin: 'btc' })).toContain(other.id)
  expect(await ids({ coin: 'btc' })).not.toContain(one.id)
  expect(await ids({ from: '2020-01-01', to: '2020-01-02' })).toEqual([])
  expect(await ids({ sort: 'requested' })).toEqual((await ids({ sort: '-requested' })).toReversed())
  expect(await ids({ flag: 'open' })).not.toContain(one.id)

  const file = async (name: 'exportConsoleWithdrawals' | 'exportRefundAccounts') => {
    const answer = await call(api[name], { query: {} }, { token: first.token })
    return String(answer.body)
  }
  const all = await file('exportConsoleWithdrawals')
  const refunds = await file('exportRefundAccounts')
  expect(all).toContain(reference)
  expect(refunds).toContain(reference)
  expect(refunds.split('\r\n')[0]).toBe(
    '\uFEFFwithdrawal,order,orderId,amountReceived,coin,refundedAmount,refundedCoin,refundTxId,refundedOn,requestedAt,acceptedAt,acceptedBy,recordedAt,recordedBy',
  )
  expect(refunds.split('\r\n').filter(Boolean).length).toBeLessThan(all.split('\r\n').filter(Boolean).length)
  const orders = await call(api.exportOrderAccounts, { query: {} }, { token: first.token })
  expect(String(orders.body)).not.toContain(reference)
})
