import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aBuyer, anOrderOf, moveDeadline } from '#tests/orders.ts'
import { bankMapping, importStatement } from '#tests/statements.ts'
import { aWatchedSale } from '#tests/watched-sale.ts'
import { enforceDeadlines } from './deadline-worker.ts'

/* An order that may have been paid in time is not canceled at its deadline, whoever reports what about it. */

const txId = 'cd'.repeat(32)

async function aSaleWithOrder() {
  const sale = await aWatchedSale({ ORDER_TWO_PERSONS_FROM: '100000' })
  const { started, chain, order, buyer } = sale
  const id = await order()
  const { db } = started.services
  return {
    ...sale,
    id,
    db,
    report: (txId: string, orderId = id, by = buyer) =>
      started.call(api.reportPayment, { params: { id: orderId }, body: { txId } }, { token: by.token }),
    stateOf: () =>
      db
        .selectFrom('token_order')
        .select(['status', 'is_disputed', 'is_reported_late'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    /** Pays the order in a block before its deadline, which the monitor reads only after the deadline. */
    async payUnseen() {
      const paid = await chain.pay({ [id]: '0.5' })
      chain.mine(1, new Date(Date.now() - 30_000))
      await moveDeadline(started, id, -10)
      await enforceDeadlines(started.services)
      return paid
    },
    async look() {
      chain.mine(4)
      await chain.look()
      await enforceDeadlines(started.services)
    },
    /** Imports a line that names the order, but has no date. */
    async importOpenLine() {
      const finance = await aSignedInMember(started, { manage_finance: 2 })
      const { body } = await started.call(api.getOrder, { params: { id } }, { token: finance.token })
      const mapping = { ...bankMapping, currency: 'BTC' }
      await importStatement(started, finance, `Date;Amount;Memo\n;0.4;${body.reference}\n`, mapping)
    },
  }
}

test('a report does not cancel an order whose payment the monitor sees later', async () => {
  const { payUnseen, report, stateOf, look } = await aSaleWithOrder()
  const paid = await payUnseen()
  expect((await report(paid)).body.status).toBe('pending')
  await look()
  expect(await stateOf()).toMatchObject({ status: 'pending', is_reported_late: false })
})

test('a transaction that was reported late and mined late stays flagged', async () => {
  const { id, started, chain, report, stateOf, look } = await aSaleWithOrder()
  await moveDeadline(started, id, -10)
  const paid = await chain.pay({ [id]: '0.5' })
  expect((await report(paid)).body.status).toBe('pending')
  await look()
  expect(await stateOf()).toMatchObject({ is_reported_late: true })
})

test('someone who reports the transaction first disputes the order, but does not cancel it', async () => {
  const { started, payUnseen, report, stateOf, look } = await aSaleWithOrder()
  const thief = await aBuyer(started)
  const { _id: theirs } = await anOrderOf(started, thief, 'BTC', '0.5')
  const paid = await payUnseen()
  expect((await report(paid, theirs, thief)).status).toBe(200)
  await look()
  expect(await stateOf()).toMatchObject({ status: 'pending', is_disputed: true })
})

test('an open payment line keeps an order pending when its member reports a payment late', async () => {
  const { id, started, look, importOpenLine, report, stateOf } = await aSaleWithOrder()
  await importOpenLine()
  await look()
  await moveDeadline(started, id, -120)
  await look()
  expect((await report(txId)).body.status).toBe('pending')
  expect(await stateOf()).toMatchObject({ status: 'pending', is_reported_late: true })
})

test('and when its member claims the transaction of another order', async () => {
  const { id, started, look, importOpenLine, report, stateOf } = await aSaleWithOrder()
  const other = await aBuyer(started)
  const { _id: theirs } = await anOrderOf(started, other, 'BTC', '0.5')
  await report(txId, theirs, other)
  await importOpenLine()
  await look()
  await moveDeadline(started, id, -120)
  await look()
  expect((await report(txId)).status).toBe(409)
  expect(await stateOf()).toMatchObject({ status: 'pending', is_disputed: true })
})

test.each([
  ['pending', true],
  ['cancelled', false],
])('an order whose transaction is missing stays %s with an open payment line: %s', async (status, isOpen) => {
  const { id, db, look, importOpenLine, report, stateOf } = await aSaleWithOrder()
  await report(txId)
  const ago = (hours: number) => sql<Date>`now() - ${hours} * interval '1 hour'`
  const times = { created_at: ago(60), reported_at: ago(50), pay_before: ago(36) }
  await db.updateTable('token_order').set(times).where('id', '=', id).execute()
  await db
    .updateTable('order_step')
    .set({ at: ago(50) })
    .where('order_id', '=', id)
    .execute()
  await db
    .updateTable('chain_address')
    .set({ created_at: ago(60) })
    .execute()
  if (isOpen) await importOpenLine()
  await look()
  expect((await stateOf()).status).toBe(status)
})
