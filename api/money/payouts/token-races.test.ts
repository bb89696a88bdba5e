import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { sampleEthereumAddress } from '#demo/addresses.ts'
import { deliveriesOf, eventsOf, listInexact, subscribe } from '#tests/deliveries.ts'
import { aDueDelivery, cancel, exportFile, freeze, readRun, record, storeTransfer } from '#tests/payouts.ts'
import type { TestApi } from '#tests/setup/start-api.ts'
import { as } from '#tests/step-up.ts'
import { aScriptedToken, confirmations, pollToken } from '#tests/watched-token.ts'

/* Two instances on one PostgreSQL: what the watcher does while officers act, and while the chain changes. */

const rounds = 5
const fakeId = (digit: number) => `0x${String(digit).repeat(64)}`

/** No transfer proves two items, and no delivery has two live ones. */
const listDoubled = async ({ services }: TestApi): Promise<unknown[]> =>
  (
    await sql`select transfer_id::text from payout_item where transfer_id is not null
        group by transfer_id having count(*) > 1
      union all select delivery_id from payout_item where is_live group by delivery_id having count(*) > 1`.execute(
      services.db,
    )
  ).rows

async function twoInstances() {
  const scene = await aScriptedToken()
  scene.node.mine()
  await scene.poll()
  const other = await scene.another()
  return { ...scene, other, pollOther: () => pollToken(other, scene.token, 'another') }
}

test('a match and a cancellation at once: either it is sent, or the delivery is held', async () => {
  const { on, other, node, one, two, exported, poll, pollOther, stateOf } = await twoInstances()
  for (let n = 0; n < rounds; n++) {
    const run = await exported()
    // The chain must be read past the export, and then past the proposal.
    await poll()
    expect((await cancel(on, one, run.id)).status).toBe(200)
    await poll()
    node.pay([{ to: run.address, amount: '100' }])
    node.mine()
    const [cancelled] = await Promise.all([cancel(other, two, run.id), pollOther()])
    await poll()
    const { orderId } = (await readRun(on, one, run.id)).list[0]!
    const [delivery] = await deliveriesOf(on, one, orderId)
    if (cancelled.status === 200) {
      expect(await stateOf(run.id)).toBe('released')
      expect(delivery).toMatchObject({ state: 'on_hold', hold: 'seen_on_chain' })
    } else {
      expect(cancelled.status).toBe(409)
      expect(await stateOf(run.id)).toBe('sent')
    }
  }
  expect(await listDoubled(on)).toEqual([])
})

test('a match and another transaction by hand at once: the item has one, and knows whose', async () => {
  const { other, node, one, exported, poll, pollOther, itemOf, listed } = await twoInstances()
  for (let n = 1; n <= rounds; n++) {
    const run = await exported()
    const txId = node.pay([{ to: run.address, amount: '100' }])
    node.mine()
    const [recorded] = await Promise.all([
      record(other, one, run.id, [{ reference: run.reference, txId: fakeId(n) }]),
      pollOther(),
    ])
    await poll()
    const [line] = recorded.body.lines
    const item = await itemOf(run.id)
    const isListed = (await listed()).some((each) => each.txId === txId)
    if (line!.isDone) expect([item.txId, item.height, isListed]).toEqual([fakeId(n), null, true])
    else {
      expect(line).toMatchObject({ problem: 'proved' })
      expect([item.txId, isListed]).toEqual([txId, false])
    }
  }
})

test('an assignment and a freeze at once: the delivery has one run, and is not paid by a file', async () => {
  const { on, other, one, two } = await twoInstances()
  for (let n = 0; n < rounds; n++) {
    const delivery = await aDueDelivery(on)
    const assign = async () => {
      const id = await storeTransfer(on, delivery)
      const body = { deliveryId: delivery.id, reason: 'Paid by hand.' }
      return on.call(api.assignPayoutTransfer, { params: { id }, body }, as(one))
    }
    const [frozen, assigned] = await Promise.all([freeze(other, two, [delivery.id], '100'), assign()])
    expect([frozen.status, assigned.status].toSorted()).toEqual(
      frozen.status === 201 ? [201, 409] : [200, 409],
    )
    // The hold stops the first export, too.
    if (frozen.status === 201) expect((await exportFile(on, one, frozen.body.id)).status).toBe(409)
  }
  expect(await listDoubled(on)).toEqual([])
  expect(await listInexact(on)).toEqual([])
})

test('an assignment, a record, and a poll at once: one delivery is proved', async () => {
  const { on, other, node, one, two, exported, poll, pollOther, listed, itemOf } = await twoInstances()
  for (let n = 1; n <= rounds; n++) {
    const address = sampleEthereumAddress(`round ${n}`)
    const [first, second] = [await exported({ address }), await exported({ address })]
    const txId = node.pay([{ to: address, amount: '100' }])
    node.mine()
    await pollOther()
    const { id } = (await listed()).find((each) => each.txId === txId)!
    const body = { deliveryId: first.deliveryId, reason: 'The first of both.' }
    const [assigned, recorded] = await Promise.all([
      on.call(api.assignPayoutTransfer, { params: { id }, body }, as(one)),
      record(other, two, second.id, [{ reference: second.reference, txId }]),
      pollOther(),
    ])
    await poll()
    const [assignedItem, recordedItem] = [await itemOf(first.id), await itemOf(second.id)]
    expect(recorded.status).toBe(200)
    // The transfer belongs to the run whose transaction was recorded first, or to the one that was assigned first.
    if (assigned.status === 200) expect([assignedItem.txId, recordedItem.height]).toEqual([txId, null])
    else {
      expect(assigned.status).toBe(409)
      expect([assignedItem.state, recordedItem.txId]).toEqual(['in_run', txId])
    }
    expect([assignedItem, recordedItem].filter(({ height }) => height !== null)).toHaveLength(1)
  }
  expect(await listDoubled(on)).toEqual([])
})

test('a reorganization and a confirmation at once: in the end the item is what the chain says', async () => {
  const { on, node, exported, poll, pollOther, itemOf } = await twoInstances()
  await subscribe(on)
  const run = await exported()
  node.pay([{ to: run.address, amount: '100' }])
  node.mine()
  await poll()
  for (let n = 0; n < rounds; n++) {
    node.mine(confirmations)
    const both = [poll(), pollOther()]
    node.reorganise(confirmations + (n ? 2 : 1), { isBackInPool: true })
    await Promise.all(both)
    await poll()
    expect(await itemOf(run.id)).toMatchObject({ state: 'sent', height: null })
    node.mine()
  }
  node.mine(confirmations)
  await Promise.all([poll(), pollOther()])
  await poll()
  const item = await itemOf(run.id)
  expect(item).toMatchObject({ state: 'confirmed' })
  // Each confirmation is taken back before the next one, however the polls met the blocks.
  const told = (await eventsOf(on, item.orderId)).map(({ state }) => state).slice(1)
  expect(told.every((state, index) => state === (index % 2 ? 'reverted' : 'confirmed'))).toBe(true)
  expect(told.at(-1)).toBe('confirmed')
})

test('two instances that poll at once prove and confirm each delivery once', async () => {
  const { on, node, exported, poll, pollOther, itemOf } = await twoInstances()
  await subscribe(on)
  const runs = []
  for (let n = 0; n < 5; n++) runs.push(await exported())
  node.pay(runs.map(({ address }) => ({ to: address, amount: '100' })))
  node.mine(confirmations)
  await Promise.all([poll(), pollOther(), poll(), pollOther()])
  await poll()
  for (const { id } of runs) {
    const { state, orderId } = await itemOf(id)
    expect(state).toBe('confirmed')
    expect((await eventsOf(on, orderId)).map((each) => each.state)).toEqual(['sent', 'confirmed'])
  }
})
