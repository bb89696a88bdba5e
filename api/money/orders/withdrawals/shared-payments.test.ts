import { describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, asGift } from '#tests/orders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

/* Refunds of a payment that finance also assigned to another order. */

const refundAddress = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const paidOn = new Date().toISOString().slice(0, 10)
const fourEyes = { WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '50000' }
const reason = 'One transaction for both orders.'
const aTx = (n: number) => n.toString(16).padStart(64, '0')

/** Two finance members, and what they do to orders and to the withdrawal of the buyer from one of them. */
async function financeOf(started: TestApi, buyer: TestMember) {
  const { call } = started
  const officer = await aSignedInMember(started, { manage_finance: 2 })
  const colleague = await aSignedInMember(started, { manage_finance: 2 })
  const by = ({ token }: TestMember) => ({ token })
  const read = async (id: string) =>
    (await call(api.getConsoleWithdrawal, { params: { id } }, by(officer))).body.withdrawal!
  return {
    officer,
    colleague,
    read,
    update: (who: TestMember, id: string, body: object) =>
      call(api.updateOrder, { body: { _id: id, ...body } }, by(who)),
    withdraw: (id: string, address = refundAddress) =>
      call(api.requestWithdrawal, { params: { id }, body: { refundAddress: address } }, by(buyer)),
    accept: async (who: TestMember, id: string) =>
      call(api.acceptWithdrawal, { params: { id: (await read(id)).id }, body: {} }, by(who)),
    refund: async (who: TestMember, id: string, body: object = {}) =>
      call(
        api.recordRefund,
        { params: { id: (await read(id)).id }, body: { amount: '0.05', txId: aTx(9), paidOn, ...body } },
        by(who),
      ),
  }
}

/** An order whose recorded payment a finance member also assigned to another order. */
async function aSharedPayment(settings: Record<string, string>) {
  const started = await startApi(settings)
  const buyer = await aBuyer(started)
  const { _id: id } = await anOrderOf(started, buyer, 'BTC', '0.05')
  const { _id: otherId } = await anOrderOf(started, buyer, 'BTC', '0.05')
  const finance = await financeOf(started, buyer)
  const { officer, update } = finance
  const paid = { txId: aTx(1), paidAmount: '0.05' }
  expect((await update(officer, id, paid)).status).toBe(200)
  expect((await update(officer, otherId, { ...paid, sharesTransaction: true, reason })).status).toBe(200)
  return { ...finance, id, otherId }
}

const reasonRequired = [{ path: 'reason', code: 'required' }]

describe('the refund of a payment that another order shares, as finance confirmed for that order', () => {
  test('needs a reason', async () => {
    const { colleague, id, withdraw, accept, refund, read } = await aSharedPayment(fourEyes)
    await withdraw(id)
    expect(await read(id)).toMatchObject({ isPaymentShared: true, takesTwo: false })
    expect((await accept(colleague, id)).body.state).toBe('accepted')
    expect((await refund(colleague, id)).problem.errors).toMatchObject(reasonRequired)
    expect((await refund(colleague, id, { reason: 'Only one was paid.' })).body.state).toBe('refunded')
  })

  test('needs two people once the other order is completed', async () => {
    const { officer, colleague, id, otherId, update, withdraw, accept, refund, read } =
      await aSharedPayment(fourEyes)
    expect((await update(colleague, otherId, { status: 'completed' })).body.status).toBe('completed')
    await withdraw(id)
    expect(await read(id)).toMatchObject({ isPaymentShared: true, takesTwo: true })
    expect((await accept(colleague, id)).body.state).toBe('requested')
    expect((await accept(officer, id)).body.state).toBe('accepted')
    expect((await refund(colleague, id)).problem.errors).toMatchObject(reasonRequired)
    expect((await refund(colleague, id, { reason })).body.state).toBe('accepted')
    expect((await refund(officer, id, { reason })).body.state).toBe('refunded')
  })

  test('needs one person while four-eyes approval of orders is off', async () => {
    const settings = { WITHDRAWAL_DAYS: '14' }
    const { officer, colleague, id, otherId, update, withdraw, accept, refund, read } =
      await aSharedPayment(settings)
    expect((await update(colleague, otherId, { status: 'completed' })).body.status).toBe('completed')
    await withdraw(id)
    expect(await read(id)).toMatchObject({ isPaymentShared: true, takesTwo: false })
    expect((await accept(officer, id)).body.state).toBe('accepted')
    expect((await refund(officer, id, { reason })).body.state).toBe('refunded')
  })
})

test('after the refund, the other order is completed only if finance confirms the payment again', async () => {
  const { colleague, id, otherId, update, withdraw, accept, refund } = await aSharedPayment(fourEyes)
  await withdraw(id)
  await accept(colleague, id)
  expect((await refund(colleague, id, { reason })).body.state).toBe('refunded')
  const complete = (body: object) => update(colleague, otherId, { status: 'completed', ...body })
  expect((await complete({ reason })).problem.errors).toMatchObject([{ path: 'txId', code: 'tx_used' }])
  expect((await complete({ sharesTransaction: true, reason })).body.status).toBe('completed')
})

describe('on a monitored chain', () => {
  test('a payment at a former address that is assigned to another order is shared', async () => {
    const { started, buyer, chain, order } = await aWatchedSale(fourEyes)
    const { officer, update, withdraw, read } = await financeOf(started, buyer)
    const [id, otherId] = [await order('0.05'), await order('0.05')]
    const formerAddress = await chain.targetOf(id)
    const change = { payMethod: 'ETH', amount: '1', confirmsQuantity: true, reason: 'As agreed.' }
    expect((await update(officer, id, change)).status).toBe(200)
    const txId = await chain.pay({ [formerAddress]: '0.05' })
    chain.mine(4)
    await chain.look()
    const withdrawn = await withdraw(id, '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb')
    expect(withdrawn.body.state).toBe('requested')
    expect((await read(id)).isPaymentShared).toBe(false)
    expect((await update(officer, otherId, { txId, sharesTransaction: true, reason })).status).toBe(200)
    expect((await read(id)).isPaymentShared).toBe(true)
  })

  test('a transaction that pays each of two orders at its own address needs no second person', async () => {
    const { started, buyer, chain, order } = await aWatchedSale(fourEyes)
    const { colleague, update, withdraw, read } = await financeOf(started, buyer)
    const [id, otherId] = [await order('0.05'), await order('0.05')]
    await chain.pay({ [id]: '0.05', [otherId]: '0.05' })
    chain.mine(4)
    await chain.look()
    const done = { ...asGift, paidAmount: '0.05', sharesTransaction: true, reason }
    expect((await update(colleague, otherId, done)).body.status).toBe('completed')
    await withdraw(id)
    expect(await read(id)).toMatchObject({ isPaymentShared: true, takesTwo: false })
  })
})
