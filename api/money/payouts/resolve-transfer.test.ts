import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import {
  aDueDelivery,
  anExportedRun,
  aRun,
  cancel,
  exportFile,
  freeze,
  officers,
  readRun,
  record,
  storeTransfer,
} from '#tests/payouts.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'
import type { TestMember } from '#tests/builders.ts'

const started = await startApi({}, afterAll)
const [one, two] = await officers(started, 2)

const reason = 'Sent from the canceled run.'
const listed = async (id: string) =>
  (await started.call(api.listPayoutTransfers, {}, as(one))).body.transfers.find((each) => each.id === id)
const assign = (by: TestMember, id: string, deliveryId: string) =>
  started.call(api.assignPayoutTransfer, { params: { id }, body: { deliveryId, reason } }, as(by))
const dismiss = (by: TestMember, id: string) =>
  started.call(api.dismissPayoutTransfer, { params: { id }, body: { reason } }, as(by))
const stateOf = async (orderId: string) => {
  const { body } = await started.call(api.getOrderDeliveries, { params: { id: orderId } }, as(one))
  return body.deliveries.map(({ state, hold, txId }) => ({ state, hold, txId }))
}

test('a transfer with the address and amount of a due delivery holds it, until it is assigned', async () => {
  const delivery = await aDueDelivery(started)
  const id = await storeTransfer(started, { ...delivery, txId: `0x${'1'.repeat(64)}` })
  expect(await stateOf(delivery.order.id)).toEqual([{ state: 'on_hold', hold: 'seen_on_chain', txId: '' }])
  expect((await freeze(started, one, [delivery.id], '100')).status).toBe(409)
  expect(await listed(id)).toMatchObject({
    problem: 'unmatched',
    height: 100,
    amount: '100',
    deliveries: [{ deliveryId: delivery.id, reference: delivery.reference }],
  })
  expect((await assign(one, id, delivery.id)).status).toBe(200)
  expect(await listed(id)).toBeUndefined()
  expect(await stateOf(delivery.order.id)).toEqual([
    { state: 'sent', hold: null, txId: `0x${'1'.repeat(64)}` },
  ])
  // The reason is with the item; the audit log keeps no free text.
  const { body: runs } = await started.call(api.listPayouts, { query: { q: `0x${'1'.repeat(64)}` } }, as(one))
  expect((await readRun(started, one, runs[0]!.id)).list).toMatchObject([{ assignReason: reason }])
  const entries = await started.services.db.selectFrom('audit_entry').select('detail').execute()
  expect(entries.some(({ detail }) => JSON.stringify(detail).includes(reason))).toBe(false)
  // It can neither be paid again nor be assigned twice.
  expect((await freeze(started, one, [delivery.id], '100')).status).toBe(409)
  expect((await assign(two, id, delivery.id)).status).toBe(409)
})

test('a dismissed transfer no longer holds a delivery', async () => {
  const delivery = await aDueDelivery(started)
  const id = await storeTransfer(started, delivery)
  expect((await dismiss(one, id)).status).toBe(200)
  expect(await listed(id)).toBeUndefined()
  const { dismissed } = (await started.call(api.listPayoutTransfers, {}, as(two))).body
  expect(dismissed).toMatchObject([{ id, amount: '100', reason, dismissedBy: { id: one.id } }])
  expect(await stateOf(delivery.order.id)).toEqual([{ state: 'due', hold: null, txId: '' }])
  expect((await dismiss(two, id)).status).toBe(409)
})

test('a transfer from before the order, or of another amount, holds nothing', async () => {
  const delivery = await aDueDelivery(started)
  const { db } = started.services
  const id = await storeTransfer(started, delivery)
  await db
    .updateTable('chain_transfer')
    .set({ block_at: new Date(Date.now() - 86_400_000) })
    .where('id', '=', id)
    .execute()
  const other = await storeTransfer(started, { address: delivery.address, amount: '99.99999999' })
  expect(await stateOf(delivery.order.id)).toEqual([{ state: 'due', hold: null, txId: '' }])
  expect((await assign(one, other, delivery.id)).status).toBe(409)
})

test('nobody assigns or dismisses a transfer to a delivery of their own', async () => {
  const delivery = await aDueDelivery(started, { memberId: one.id })
  const id = await storeTransfer(started, delivery)
  expect((await assign(one, id, delivery.id)).status).toBe(403)
  expect((await dismiss(one, id)).status).toBe(403)
  expect((await assign(two, id, delivery.id)).status).toBe(200)
})

test('a transfer that two runs match is ambiguous, and goes to the one that finance names', async () => {
  const address = sampleTokenAddress('two runs')
  const runs = []
  for (let n = 0; n < 2; n++) {
    const { id } = await aDueDelivery(started, { address })
    const run = (await freeze(started, one, [id], '100')).body
    await exportFile(started, one, run.id)
    runs.push(run)
  }
  const id = await storeTransfer(started, { address, amount: '100' })
  const found = await listed(id)
  expect(found).toMatchObject({ problem: 'ambiguous' })
  const chosen = runs[1]!.list[0]!.deliveryId
  expect(found!.deliveries.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(
    runs.map(({ list }) => list[0]!.deliveryId).toSorted(),
  )
  expect((await assign(one, id, chosen)).status).toBe(200)
  expect((await readRun(started, one, runs[1]!.id)).state).toBe('sent')
  expect((await readRun(started, one, runs[0]!.id)).state).toBe('exported')
})

test('the transfer of a canceled run is listed as such, and holds the delivery that is due again', async () => {
  const run = await anExportedRun(started, one)
  await cancel(started, one, run.id)
  expect((await cancel(started, two, run.id)).status).toBe(200)
  const [{ address, orderId, deliveryId }] = run.list as [(typeof run.list)[number]]
  const id = await storeTransfer(started, { address, amount: '100' })
  expect(await listed(id)).toMatchObject({ problem: 'cancelled', deliveries: [{ deliveryId }] })
  expect(await stateOf(orderId)).toEqual([{ state: 'on_hold', hold: 'seen_on_chain', txId: '' }])
})

test('assigning and dismissing are possible while payouts are on hold, and are audited', async () => {
  const delivery = await aDueDelivery(started)
  const id = await storeTransfer(started, delivery)
  const since = new Date().toISOString()
  await started.call(api.holdPayouts, { body: { since, note: 'A restored database.' } }, as(one))
  expect((await assign(one, id, delivery.id)).status).toBe(200)
  const entries = await started.services.db
    .selectFrom('audit_entry')
    .select('action')
    .where('action', 'like', 'payout-transfer-%')
    .execute()
  expect(new Set(entries.map(({ action }) => action))).toEqual(
    new Set(['payout-transfer-assigned', 'payout-transfer-dismissed']),
  )
  for (const by of [one, two])
    await started.call(api.resumePayouts, { body: { note: 'The wallet was compared.' } }, as(by))
})

test('if no node is read, finance records and confirms as before', async () => {
  const run = await aRun(started, one)
  await exportFile(started, one, run.id)
  const [{ reference, deliveryId }] = run.list as [(typeof run.list)[number]]
  await record(started, one, run.id, [{ reference, txId: 'ab'.repeat(32) }])
  expect((await readRun(started, one, run.id)).watch).toBeNull()
  const confirmed = await started.call(
    api.confirmPayoutItems,
    { params: { id: run.id }, body: { deliveryIds: [deliveryId] } },
    as(two),
  )
  expect(confirmed.status).toBe(200)
})
