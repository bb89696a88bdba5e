import { api } from '#contract/api.ts'
import type { PayoutDetail } from '#contract/money/payouts.ts'
import { insertItems, insertRun, listFrozenItems, setHash } from '#api/money/payouts/payout.queries.ts'
import { hashOf, textOfRun } from '#api/money/payouts/run-hash.rules.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { anOrder, aSignedInMember, type TestMember } from './builders.ts'
import { as } from './step-up.ts'
import type { TestApi } from './setup/start-api.ts'

type Wanted = { amount?: string; address?: string; memberId?: string; dueAt?: Date }

/** Inserts a completed order of a member, with one delivery that is due. */
export async function aDueDelivery(
  on: TestApi,
  { amount = '100', address = sampleTokenAddress(crypto.randomUUID()), memberId, dueAt }: Wanted = {},
) {
  const owner = memberId ?? (await aSignedInMember(on)).id
  const order = await anOrder(on, owner, { fabQty: amount, fabAddress: address, status: 'completed' })
  const delivery = await on.services.db
    .insertInto('delivery')
    .values({ order_id: order.id, tranche: 1, amount, due_at: dueAt ?? new Date(Date.now() - 60_000) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...delivery, address, memberId: owner, order }
}

export const freeze = (on: TestApi, by: TestMember, deliveryIds: string[], total: string) =>
  on.call(api.freezePayout, { body: { deliveryIds, total } }, as(by))

/** Freezes the deliveries of one amount each into a run. */
export async function aRun(on: TestApi, by: TestMember, count = 1, amount = '100'): Promise<PayoutDetail> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await aDueDelivery(on, { amount })).id)
  return (await freeze(on, by, ids, String(count * Number(amount)))).body
}

export const exportFile = (on: TestApi, by: TestMember, id: string, format: 'csv' | 'psbt' = 'csv') =>
  on.call(api.exportPayoutFile, { params: { id, format } }, as(by))

/** Freezes and exports a run. */
export async function anExportedRun(on: TestApi, by: TestMember, count = 1): Promise<PayoutDetail> {
  const run = await aRun(on, by, count)
  await exportFile(on, by, run.id)
  return run
}

/** Stores a run of one delivery, for tests that act as someone else. */
export async function storeRun(on: TestApi, officerId: string, { needsTwo = false } = {}) {
  const { db, config } = on.services
  const { id: deliveryId, reference, address, amount } = await aDueDelivery(on)
  const { network, contract, decimals } = config.token
  const { id, number } = await insertRun(db, {
    network,
    contract,
    decimals,
    items: 1,
    total: amount,
    frozenBy: officerId,
    needsTwo,
  })
  await insertItems(db, id, [{ deliveryId, position: 1, address, amount }])
  const items = await listFrozenItems(db, id)
  const hash = hashOf(textOfRun({ number, network, contract, decimals, items }))
  await setHash(db, id, hash)
  const item = await db
    .selectFrom('payout_item')
    .select('id')
    .where('run_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, hash, reference, deliveryId, itemId: item.id, officerId }
}
