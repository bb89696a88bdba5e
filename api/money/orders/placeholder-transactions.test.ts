import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

/* A placeholder names no payment: all orders with it would seem to share one. */

const started = await startApi({}, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2 })
const member = await aSignedInMember(started)
const refused = { path: 'txId', code: 'placeholder' }
const anUnpaid = () => anOrder(started, member.id, { payMethod: 'Bank', currency: 'EUR', amount: '100' })
const report = (id: string, txId: string) =>
  call(api.reportPayment, { params: { id }, body: { txId } }, { token: member.token })
const update = (id: string, body: object) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: officer.token })

test.each(['n/a', 'None', '-', 'unknown', 'x', '无'])('%j is no transaction', async (txId) => {
  const { id } = await anUnpaid()
  expect((await report(id, txId)).problem.errors).toMatchObject([refused])
  expect((await update(id, { txId, reason: 'Seen.' })).problem.errors).toMatchObject([refused])
  const entered = { memberId: member.id, payMethod: 'Bank', amount: '100', fabQty: '5', txId }
  const { problem } = await call(api.createOrder, { body: entered }, { token: officer.token })
  expect(problem.errors).toMatchObject([refused])
})

test('a reference of a bank is free text', async () => {
  const { id } = await anUnpaid()
  expect((await report(id, 'Transfer NA-2041, unknown sender')).body.txId).toBe(
    'Transfer NA-2041, unknown sender',
  )
})

test('a record with a placeholder of an earlier release can be sent back unchanged', async () => {
  const { id } = await anUnpaid()
  await services.db.updateTable('token_order').set({ tx_id: 'n/a' }).where('id', '=', id).execute()
  expect(
    (await update(id, { txId: 'n/a', fabQty: '6', reason: 'Corrected.', confirmsQuantity: true })).status,
  ).toBe(200)
})

test('a statement line with a placeholder is recorded, without a transaction', async () => {
  const { id, reference } = await anUnpaid()
  const today = new Date().toISOString().slice(0, 10)
  const text = `reference,txId,amount,date\n${reference},n/a,100,${today}\n`
  const body = { file: Buffer.from(text).toString('base64') }
  const { lines } = (await call(api.importOrderPayments, { body }, { token: officer.token })).body
  expect(lines).toMatchObject([{ id, effect: 'records', txId: '' }])
})
