import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { moveDeadline } from '#tests/orders.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'
import { enforceDeadlines } from './deadline-worker.ts'

/* A proposal to complete an order applies to the order as its author saw it, including what the chain showed. */

/** An order whose payment finance recorded before the chain confirmed it, or which only the chain confirms. */
async function aSaleWithOfficers({ isConfirmed = false } = {}) {
  const sale = await aWatchedSale({ ORDER_TWO_PERSONS_FROM: '1' })
  const { started, chain, order } = sale
  const officer = () => aSignedInMember(started, { manage_finance: 2 })
  const [first, second] = [await officer(), await officer()]
  const update = (by: TestMember, id: string, body: object) =>
    started.call(api.updateOrder, { body: { _id: id, ...body } }, { token: by.token })
  const complete = (by: TestMember, id: string) =>
    update(by, id, { status: 'completed', reason: 'Seen on the chain.' })
  const id = await order()
  const txId = await chain.pay({ [id]: '0.5' })
  if (isConfirmed) chain.mine(3)
  await chain.look()
  if (!isConfirmed) expect((await update(first, id, { paidAmount: '0.5' })).status).toBe(200)
  return { ...sale, first, second, update, complete, id, txId }
}

test('a proposal ends when the payment leaves the chain', async () => {
  const { started, chain, detail, first, second, complete, id, txId } = await aSaleWithOfficers()
  expect((await complete(first, id)).body.status).toBe('pending')
  await chain.look()
  expect((await detail(id)).proposal?.counts).toBe(true)
  chain.drop(txId)
  await chain.look()
  expect((await detail(id)).proposal?.counts).toBe(false)
  expect((await complete(second, id)).problem.errors).toMatchObject([{ path: 'paidAmount' }])
  await enforceDeadlines(started.services)
  expect((await detail(id)).proposal).toBeNull()
})

test('a proposal ends when the deadline is extended', async () => {
  const { started, detail, first, second, complete, id } = await aSaleWithOfficers({ isConfirmed: true })
  expect((await complete(first, id)).body.status).toBe('pending')
  const payBefore = new Date(Date.now() + 50 * HOUR).toISOString()
  const body = { payBefore, reason: 'Agreed.' }
  const { status } = await started.call(
    api.extendOrderDeadline,
    { params: { id }, body },
    { token: second.token },
  )
  expect(status).toBe(200)
  expect((await complete(second, id)).body.status).toBe('pending')
  expect((await detail(id)).proposal).toMatchObject({ by: { id: second.id }, counts: true })
})

test('a recorded payment that left the chain is stated again with a reason before the order is completed', async () => {
  const { started, chain, detail, first, second, update, id, txId } = await aSaleWithOfficers()
  chain.drop(txId)
  await chain.look()
  await moveDeadline(started, id, 3600)
  const missing = await update(first, id, { status: 'completed' })
  expect(missing.problem.errors).toMatchObject([
    { path: 'paidAmount', code: 'required' },
    { path: 'reason', code: 'required' },
  ])
  const stated = { status: 'completed', paidAmount: '0.5' }
  expect((await update(first, id, stated)).problem.errors).toMatchObject([
    { path: 'reason', code: 'required' },
  ])
  const reason = 'They paid in cash.'
  expect((await update(first, id, { ...stated, reason })).body.status).toBe('pending')
  expect((await update(second, id, { ...stated, reason })).body.status).toBe('completed')
  expect((await detail(id)).proposal).toBeNull()
})
