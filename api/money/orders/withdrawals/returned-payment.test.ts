import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anOrder, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'

/* A payment that was returned, or left the chain, must not be refunded a second time. */

const started = await startApi({ WITHDRAWAL_DAYS: '14' }, afterAll)
const { call, services } = started
const finance = await aSignedInMember(started, { manage_finance: 2 })
const by = { token: finance.token }
const paidOn = new Date().toISOString().slice(0, 10)

test.each(['returned', 'reversal'])('a withdrawal waits for an open line: %s', async (problem) => {
  const buyer = await aSignedInMember(started)
  const { id } = await anOrder(started, buyer.id, {
    payMethod: 'Bank',
    currency: 'EUR',
    fabQty: '5',
    amount: '100',
    paidAmount: '100',
  })
  const refundAddress = 'DE02 1203 0000 0000 2020 51'
  const asked = await call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress } },
    { token: buyer.token },
  )
  const params = { id: asked.body.id }
  const mark = () =>
    services.db
      .insertInto('statement_line')
      .values({
        fingerprint: randomBytes(32).toString('hex'),
        file_hash: '0'.repeat(64),
        state: 'open',
        problem,
        order_id: id,
        reference: '',
        tx_id: '',
        sender: '',
        address: '',
        line: 1,
        amount: '-100',
        currency: 'EUR',
        imported_by: finance.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  const dismiss = (line: string) =>
    call(api.dismissStatementLine, { params: { id: line }, body: { reason: 'Dealt with.' } }, by)
  const read = async () => (await call(api.getConsoleWithdrawal, { params: { id } }, by)).body.withdrawal!
  const accept = () => call(api.acceptWithdrawal, { params, body: {} }, by)
  const reason = 'It went back.'
  const refuse = () => call(api.refuseWithdrawal, { params, body: { reason } }, by)
  const close = () => call(api.closeWithdrawal, { params, body: { reason } }, by)
  const refund = () =>
    call(
      api.recordRefund,
      { params, body: { amount: '100', txId: 'Transfer 9', paidOn, reason: 'Back.' } },
      by,
    )
  const blocked = { code: 'conflict', errors: [{ path: 'payment', code: 'unsettled' }] }

  const first = await mark()
  for (const act of [accept, refuse, close]) expect((await act()).problem).toMatchObject(blocked)
  expect(await read()).toMatchObject({ state: 'requested', unsettled: ['payment'] })
  await dismiss(first.id)
  expect((await accept()).body).toMatchObject({ state: 'accepted', unsettled: [] })

  const second = await mark()
  expect((await refund()).problem).toMatchObject(blocked)
  await dismiss(second.id)
  expect((await refund()).body.state).toBe('refunded')
})

test('refunding a payment that left the chain needs a reason and a second person', async () => {
  const sale = await aWatchedSale({
    CHAIN_COMPLETE: 'exact',
    WITHDRAWAL_DAYS: '14',
    ORDER_TWO_PERSONS_FROM: '100000',
  })
  const { buyer, chain, order, detail } = sale
  const [officer, colleague] = [
    await aSignedInMember(sale.started, { manage_finance: 2 }),
    await aSignedInMember(sale.started, { manage_finance: 2 }),
  ]
  const id = await order()
  await chain.pay({ [id]: '0.5' })
  chain.mine(4)
  await chain.look()
  await chain.look()
  chain.unmine(4, false)
  chain.mineEmpty(8)
  for (let i = 0; i < 3; i += 1) await chain.look()
  expect(await detail(id)).toMatchObject({ order: { status: 'completed' }, flags: ['payment_gone'] })
  const asked = await sale.started.call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' } },
    { token: buyer.token },
  )
  const params = { id: asked.body.id }
  const accept = (token: string) => sale.started.call(api.acceptWithdrawal, { params, body: {} }, { token })
  expect((await accept(officer.token)).body.state).toBe('accepted')
  const refund = (token: string, more: object = {}) =>
    sale.started.call(
      api.recordRefund,
      { params, body: { amount: '0.5', txId: 'b'.repeat(64), paidOn, ...more } },
      { token },
    )
  expect((await refund(officer.token)).problem.errors).toMatchObject([{ path: 'reason', code: 'required' }])
  const reason = 'It came again elsewhere.'
  expect((await refund(officer.token, { reason })).body.state).toBe('accepted')
  expect((await refund(colleague.token)).body.state).toBe('refunded')
})

test.each([
  ['all of it', '0.5'],
  ['part of it', '0.3'],
])('so does refunding the recorded payment of a pending order after %s left the chain', async (_, first) => {
  const sale = await aWatchedSale({ WITHDRAWAL_DAYS: '14', ORDER_TWO_PERSONS_FROM: '100000' })
  const { buyer, chain, order } = sale
  const [officer, colleague] = [
    await aSignedInMember(sale.started, { manage_finance: 2 }),
    await aSignedInMember(sale.started, { manage_finance: 2 }),
  ]
  const id = await order()
  if (first !== '0.5') {
    await chain.pay({ [id]: first })
    chain.mine(4)
    await chain.look()
  }
  await chain.pay({ [id]: first === '0.5' ? '0.5' : '0.2' })
  chain.mine(1)
  await chain.look()
  await sale.started.call(api.updateOrder, { body: { _id: id, paidAmount: '0.5' } }, { token: officer.token })
  chain.unmine(1, false)
  chain.mine(2)
  await chain.look()
  const asked = await sale.started.call(
    api.requestWithdrawal,
    { params: { id }, body: { refundAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' } },
    { token: buyer.token },
  )
  const params = { id: asked.body.id }
  await sale.started.call(api.acceptWithdrawal, { params, body: {} }, { token: colleague.token })
  const refund = (token: string) =>
    sale.started.call(
      api.recordRefund,
      { params, body: { amount: '0.5', txId: 'b'.repeat(64), paidOn, reason: 'As agreed.' } },
      { token },
    )
  expect((await refund(colleague.token)).body.state).toBe('accepted')
  expect((await refund(officer.token)).body.state).toBe('refunded')
})
