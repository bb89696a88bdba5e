import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, anOrder, type TestMember } from '#tests/builders.ts'
import { orderMailsTo } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* Money that arrives after the order was refunded. */

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const by = ({ token }: TestMember) => ({ token })
const paidOn = new Date().toISOString().slice(0, 10)
const reason = 'Seen in the account.'

type Given = { currency?: string; amount?: string; due?: string; isCompleted?: boolean }

async function aRefunded({ currency = 'EUR', amount = '100', due = '100', isCompleted }: Given = {}) {
  const member = await aSignedInMember(started)
  const values = { payMethod: 'Bank', currency: 'EUR', fabQty: '10', amount: due, fabAddress: '' }
  const { id } = await anOrder(started, member.id, values)
  const record = async (paidAmount: string) => {
    const body = { _id: id, paidAmount, reason }
    expect((await call(api.updateOrder, { body }, by(finance))).status).toBe(200)
  }
  await record('100')
  if (isCompleted) {
    const body = { _id: id, status: 'completed' as const, reason }
    expect((await call(api.updateOrder, { body }, by(finance))).body.status).toBe('completed')
  }
  const address = { refundAddress: 'DE02 1203 0000 0000 2020 51' }
  const asked = await call(api.requestWithdrawal, { params: { id }, body: address }, by(member))
  const params = { id: asked.body.id }
  await call(api.acceptWithdrawal, { params, body: {} }, by(finance))
  const refund = async (amount: string, currency = 'EUR', reference = `R-${id}`) => {
    const { body: stored } = await call(api.getConsoleWithdrawal, { params: { id } }, by(finance))
    const { updatedAt } = stored.withdrawal!
    const body = { amount, currency, txId: reference, paidOn, reason, updatedAt }
    const refunded = await call(api.recordRefund, { params, body }, by(finance))
    expect([refunded.status, refunded.problem?.errors]).toEqual([200, undefined])
  }
  await refund(amount, currency)
  return {
    record,
    refund,
    isFlagged: async () => {
      const { body } = await call(api.getConsoleOrder, { params: { id } }, by(finance))
      const query = { flag: 'payment_unexpected' } as const
      const { body: listed } = await call(api.listConsoleOrders, { query }, by(finance))
      const isFlagged = body.flags.includes('payment_unexpected')
      expect(listed.some((order) => order.id === id)).toBe(isFlagged)
      return isFlagged
    },
    mails: () => orderMailsTo(started, member),
  }
}

test('a payment recorded after the refund stays flagged until the refund is corrected, and the member is told', async () => {
  const { record, refund, isFlagged, mails } = await aRefunded()
  expect(await isFlagged()).toBe(false)
  await record('200')
  expect(await isFlagged()).toBe(true)
  expect((await mails()).at(-1)).toBe('order-paid-again')
  await refund('100', 'EUR', 'another reference')
  expect(await isFlagged()).toBe(true)
  await refund('200', 'EUR')
  expect(await isFlagged()).toBe(false)
})

test('a refund in another currency does not cover what is recorded afterwards', async () => {
  const { record, refund, isFlagged } = await aRefunded({ currency: 'USDT', amount: '110' })
  expect(await isFlagged()).toBe(false)
  await record('200')
  expect(await isFlagged()).toBe(true)
  await refund('220', 'USDT')
  expect(await isFlagged()).toBe(false)
})

test('a payment that was recorded by mistake leaves no flag, nor does a refund without fees', async () => {
  const { record, isFlagged } = await aRefunded({ amount: '98' })
  expect(await isFlagged()).toBe(false)
  await record('200')
  await record('98')
  expect(await isFlagged()).toBe(false)
})

test('the flag stays until the refund covers everything, whatever else a correction changes', async () => {
  const { record, refund, isFlagged } = await aRefunded()
  await record('180')
  const corrections: [amount: string, currency: string, isFlagged: boolean][] = [
    ['150', 'EUR', true],
    ['150', 'eur', true],
    ['100', ' e.u.r ', true],
    ['179.99', 'ＥＵＲ', true],
    ['180', 'eur', false],
    ['100', 'EUR', true],
    ['180', 'EUR', false],
  ]
  for (const [index, [amount, currency, expected]] of corrections.entries()) {
    await refund(amount, currency, `Correction ${index}`)
    expect([amount, currency, await isFlagged()]).toEqual([amount, currency, expected])
  }
  await record('200')
  expect(await isFlagged()).toBe(true)
  await refund('190')
  expect(await isFlagged()).toBe(true)
  await refund('200')
  expect(await isFlagged()).toBe(false)
})

test('the flag follows the amount received, down and up again', async () => {
  const { record, refund, isFlagged } = await aRefunded()
  for (const [paid, expected] of [
    ['180', true],
    ['100', false],
    ['180', true],
  ] as const) {
    await record(paid)
    expect(await isFlagged()).toBe(expected)
  }
  await refund('180')
  expect(await isFlagged()).toBe(false)
})

test('a payment that was recorded by mistake leaves no flag after a refund less a fee', async () => {
  const { record, isFlagged } = await aRefunded({ amount: '98' })
  for (const [paid, expected] of [
    ['200', true],
    ['100', false],
    ['200', true],
  ] as const) {
    await record(paid)
    expect(await isFlagged()).toBe(expected)
  }
})

test('a refund in another coin covers further payments only once it is larger', async () => {
  const { record, refund, isFlagged } = await aRefunded({ currency: 'USDT', amount: '110' })
  await record('200')
  for (const [amount, currency, expected] of [
    ['110', 'usdt', true],
    ['90', 'USDT', true],
    ['220', 'Usdt', false],
    ['110', 'USDT', true],
    ['150', 'EUR', true],
    ['220', 'USDT', false],
  ] as const) {
    await refund(amount, currency)
    expect([amount, currency, await isFlagged()]).toEqual([amount, currency, expected])
  }
  await record('300')
  expect(await isFlagged()).toBe(true)
  await refund('220.5', 'USDT')
  expect(await isFlagged()).toBe(false)
})

test.each([
  ['a part', '40', ['110', '120']],
  ['everything', '100', ['179', '180']],
] as const)(
  'a completed order of which %s was refunded is flagged until the refund also covers what came later',
  async (_, amount, [less, enough]) => {
    const { record, refund, isFlagged } = await aRefunded({ amount, due: '60', isCompleted: true })
    await record('180')
    expect(await isFlagged()).toBe(true)
    await refund(less)
    expect(await isFlagged()).toBe(true)
    await refund(enough)
    expect(await isFlagged()).toBe(false)
  },
)
