import { shownReference } from '../../platform/text/order-reference.ts'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf } from '#tests/orders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { letProofAge } from '#tests/step-up.ts'

const started = await startApi({ ORDER_TOLERANCE_PERCENT: '2' }, afterAll)
const { call, mailsTo } = started
const today = new Date().toISOString().slice(0, 10)
const finance = await aSignedInMember(started, { manage_finance: 2 })

const update = (id: string, body: object, by = finance) =>
  call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
const complete = (id: string, body: object = {}) => update(id, { status: 'completed', ...body })

/** Creates an order with 1.5 due. */
async function anUnpaid() {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, {
    fabQty: '10',
    fabAddress: sampleTokenAddress(member.id),
  })
  return { id, member }
}

test('completes no order without a recorded, seen, or stated payment', async () => {
  const { id } = await anUnpaid()
  expect((await complete(id)).problem.errors).toMatchObject([
    { path: 'paidAmount', code: 'required' },
    { path: 'reason', code: 'required' },
  ])
  expect((await complete(id, { reason: 'They say so.' })).problem.errors).toMatchObject([
    { path: 'paidAmount', code: 'required' },
  ])
  expect((await complete(id, { paidAmount: '1.5' })).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  // A claimed transaction or a date says nothing about an amount.
  await update(id, { txId: `0x${'a'.repeat(64)}`, paidAt: '2026-01-05T00:00:00.000Z' })
  expect((await complete(id)).problem.errors).toMatchObject([{ path: 'paidAmount' }, { path: 'reason' }])
  const done = await complete(id, { paidAmount: '1.5', reason: 'Seen in the bank account.' })
  expect(done.body.status).toBe('completed')
})

test('completes a recorded payment without a reason, within the tolerance', async () => {
  for (const [paidAmount, isEnough] of [
    ['1.5', true],
    ['1.47', true],
    ['1.53', true],
    ['1.4699', false],
    ['1.5301', false],
    ['0.0001', false],
  ] as const) {
    const { id } = await anUnpaid()
    await update(id, { paidAmount })
    const first = await complete(id)
    if (isEnough) expect(first.body.status).toBe('completed')
    else expect(first.problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
    if (!isEnough) expect((await complete(id, { reason: 'Agreed.' })).body.status).toBe('completed')
  }
})

test('tells the member about a payment only if something was received', async () => {
  const [paid, gift] = [await anUnpaid(), await anUnpaid()]
  await complete(paid.id, { paidAmount: '1.5', reason: 'Seen in the bank account.' })
  await complete(gift.id, { paidAmount: '0', reason: 'Won in the contest.' })
  const lastMail = async (email: string) => (await mailsTo(email)).at(-1)!
  expect((await lastMail(paid.member.email)).text).toMatch(/payment/i)
  const mail = await lastMail(gift.member.email)
  expect(mail.kind).toBe('order-completed-unpaid')
  expect(mail.text).not.toMatch(/payment/i)
})

test('rejects a receipt dated in the future', async () => {
  const { id } = await anUnpaid()
  const paidAt = new Date(Date.now() + DAY).toISOString()
  for (const body of [{ paidAt }, { status: 'completed', paidAmount: '1.5', reason: 'Seen.', paidAt }])
    expect((await update(id, body)).problem.errors).toMatchObject([{ path: 'paidAt', code: 'future' }])
  expect((await update(id, { paidAt: new Date().toISOString() })).status).toBe(200)
})

test('asks for step-up only once the entries are valid', async () => {
  const { id } = await anUnpaid()
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  await letProofAge(started, officer)
  expect((await update(id, { status: 'completed' }, officer)).problem.code).toBe('validation_failed')
  expect((await update(id, { txId: 'none' }, officer)).problem.code).toBe('validation_failed')
  const right = { status: 'completed', paidAmount: '1.5', reason: 'Seen.' }
  expect((await update(id, right, officer)).problem.code).toBe('step_up_required')
})

test('sets a quantity that the amount does not buy only if confirmed', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  const wrong = { fabQty: '6000000', reason: 'Agreed.' }
  expect((await update(order._id, wrong)).problem.errors).toMatchObject([
    { path: 'fabQty', code: 'differs_from_rate' },
  ])
  // Changing the amount has the same effect.
  expect((await update(order._id, { amount: '5', reason: 'Agreed.' })).problem.errors).toMatchObject([
    { path: 'fabQty', code: 'differs_from_rate' },
  ])
  expect((await update(order._id, { amount: '1', fabQty: '120000', reason: 'Agreed.' })).status).toBe(200)
  expect((await update(order._id, { ...wrong, confirmsQuantity: true })).body.exactFabQty).toBe('6000000')
})

test('changing the payment method confirms no quantity', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member)
  const wrong = { payMethod: 'ETH', fabQty: '6000000', reason: 'Agreed.' }
  const differs = [{ path: 'fabQty', code: 'differs_from_rate' }]
  expect((await update(order._id, wrong)).problem.errors).toMatchObject(differs)
  // 0.5 ETH buys 2000.25 tokens.
  expect((await update(order._id, { ...wrong, fabQty: '2000' })).status).toBe(200)
  // The quoted rate was for the other method.
  expect((await update(order._id, { fabQty: '60000', reason: 'Agreed.' })).problem.errors).toMatchObject(
    differs,
  )
  expect((await update(order._id, { ...wrong, payMethod: 'BTC' })).problem.errors).toMatchObject(differs)
  const confirmed = { fabQty: '60000', reason: 'Agreed.', confirmsQuantity: true }
  expect((await update(order._id, confirmed)).body).toMatchObject({ exactFabQty: '60000', rate: null })
})

test('another payment method alone confirms neither the amount nor the quantity', async () => {
  const member = await aBuyer(started)
  const order = await anOrderOf(started, member, 'BTC', '0.08')
  const other = { payMethod: 'ETH', reason: 'They asked for it.' }
  expect((await update(order._id, other)).problem.errors).toMatchObject([
    { path: 'fabQty', code: 'differs_from_rate' },
  ])
  expect((await update(order._id, { ...other, confirmsQuantity: true })).status).toBe(200)
})

test('a recorded payment completes an order with an unknown amount due only with a reason', async () => {
  const member = await aSignedInMember(started)
  const { id } = await anOrder(started, member.id, { fabQty: '10', amount: null })
  await update(id, { paidAmount: '0.01' })
  expect((await complete(id)).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  expect((await complete(id, { reason: 'Agreed.' })).body.status).toBe('completed')
})

test('an import doesn’t complete an order with an unknown amount due', async () => {
  const member = await aSignedInMember(started)
  const { reference } = await anOrder(started, member.id, { fabQty: '10', amount: null })
  const text = `reference,txId,amount,date,complete\n${shownReference(reference)},,0.01,${today},yes\n`
  const body = { file: Buffer.from(text).toString('base64') }
  const { lines, problems } = (await call(api.importOrderPayments, { body }, { token: finance.token })).body
  expect([lines, problems]).toMatchObject([[], [{ problem: 'amount_differs', value: '' }]])
})
