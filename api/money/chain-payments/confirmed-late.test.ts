import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { orderMailsTo } from '#tests/orders.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

const reason = 'As agreed with the member.'
const refundAddress = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'

async function scene() {
  const sale = await aWatchedSale({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: 'off' })
  const { started, buyer, chain } = sale
  const finance = await aSignedInMember(started, { manage_finance: 2 })
  const by = { token: finance.token }
  const change = async (_id: string, body: object) => {
    const changed = await started.call(api.updateOrder, { body: { _id, reason, ...body } }, by)
    expect(changed.status).toBe(200)
  }
  return {
    ...sale,
    by,
    change,
    cancel: (id: string) => change(id, { status: 'cancelled' }),
    mine: async () => {
      chain.mine(4)
      await chain.look()
      await chain.look()
    },
    report: async (id: string, txId: string) => {
      const reported = await started.call(
        api.reportPayment,
        { params: { id }, body: { txId } },
        { token: buyer.token },
      )
      expect(reported.status).toBe(200)
    },
    flagsOf: async (id: string) => (await sale.detail(id)).flags,
    mailsAbout: async (kind: string) => (await orderMailsTo(started, buyer)).filter((each) => each === kind),
  }
}

test('flags a payment that was unconfirmed when finance canceled the order, once', async () => {
  const { chain, order, cancel, mine, change, flagsOf, mailsAbout } = await scene()
  const id = await order('0.08')
  await chain.pay({ [id]: '0.08' })
  await chain.look()
  await cancel(id)
  await chain.look()
  expect(await flagsOf(id)).not.toContain('reported_late')

  await mine()
  expect(await flagsOf(id)).toContain('reported_late')
  expect(await mailsAbout('order-payment-seen-late')).toHaveLength(1)
  await change(id, { reportedLate: false })
  await mine()
  expect(await flagsOf(id)).not.toContain('reported_late')
  expect(await mailsAbout('order-payment-seen-late')).toHaveLength(1)
})

test('does not flag a confirmed payment that finance knew when canceling the order', async () => {
  const { chain, order, cancel, mine, flagsOf } = await scene()
  const id = await order('0.08')
  await chain.pay({ [id]: '0.08' })
  chain.mine(1)
  await chain.look()
  await cancel(id)
  await mine()
  expect(await flagsOf(id)).not.toContain('reported_late')
})

test('flags a reported transaction that arrives only after the order was canceled', async () => {
  const { chain, order, cancel, mine, report, flagsOf } = await scene()
  const id = await order('0.08')
  const txId = await chain.pay({ [id]: '0.08' })
  chain.drop(txId)
  await report(id, txId)
  await chain.look()
  await cancel(id)
  chain.restore(txId)
  await mine()
  expect(await flagsOf(id)).toContain('reported_late')
})

test('flags a payment again that finance had resolved as a late report before it arrived', async () => {
  const { chain, order, cancel, mine, report, change, flagsOf, mailsAbout } = await scene()
  const id = await order('0.08')
  const txId = await chain.pay({ [id]: '0.08' })
  chain.drop(txId)
  await cancel(id)
  await report(id, txId)
  await change(id, { reportedLate: false })
  expect(await flagsOf(id)).not.toContain('reported_late')
  chain.restore(txId)
  await mine()
  expect(await flagsOf(id)).toContain('reported_late')
  expect(await mailsAbout('order-payment-seen-late')).toHaveLength(1)
})

test('flags a payment that disappeared during a withdrawal closed as unpaid, and is mined later', async () => {
  const { started, buyer, by, chain, order, mine, flagsOf, mailsAbout } = await scene()
  const id = await order('0.08')
  const txId = await chain.pay({ [id]: '0.08' })
  await chain.look()
  const asked = await started.call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress } },
    { token: buyer.token },
  )
  chain.drop(txId)
  await chain.look()
  const closed = await started.call(
    api.closeWithdrawal,
    { params: { id: asked.body.id }, body: { reason: 'Nothing came.' } },
    by,
  )
  expect(closed.body.state).toBe('unpaid')
  chain.restore(txId)
  await chain.look()
  await mine()
  expect(await flagsOf(id)).toContain('reported_late')
  expect(await mailsAbout('order-payment-seen-late')).toHaveLength(1)
})

test('leaves a payment confirmed during an accepted withdrawal to the refund', async () => {
  const { started, buyer, by, chain, order, mine, flagsOf } = await scene()
  const id = await order('0.08')
  await chain.pay({ [id]: '0.08' })
  await chain.look()
  const asked = await started.call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress } },
    { token: buyer.token },
  )
  await started.call(api.acceptWithdrawal, { params: { id: asked.body.id }, body: {} }, by)
  await mine()
  expect(await flagsOf(id)).not.toContain('reported_late')
})

test('flags an unconfirmed payment beside a made-up transaction when it is confirmed after the cancellation', async () => {
  const { chain, order, cancel, mine, report, flagsOf } = await scene()
  const id = await order('0.08')
  await report(id, 'ab'.repeat(32))
  await chain.pay({ [id]: '0.08' })
  await chain.look()
  await cancel(id)
  await mine()
  expect(await flagsOf(id)).toContain('payment_unexpected')
  await mine()
  expect(await flagsOf(id)).toContain('payment_unexpected')
})
