import { randomBytes } from 'node:crypto'
import { api } from '#contract/api.ts'
import { tokenCoin } from '#contract/money/chain-payments.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { PayoutDetail, PayoutFormat } from '#contract/money/payouts.ts'
import { watchShared } from '#api/money/chains/address.queries.ts'
import { insertItems, insertRun, listFrozenItems, setHash } from '#api/money/payouts/payout.queries.ts'
import { hashOf, textOfRun } from '#api/money/payouts/run-hash.rules.ts'
import { sampleTokenAddress } from '#demo/addresses.ts'
import { anOrder, aSignedInMember, type TestMember } from './builders.ts'
import { as } from './step-up.ts'
import type { TestApi } from './setup/start-api.ts'

type Wanted = { amount?: string; address?: string; memberId?: string; dueAt?: Date }

const times = (amount: string, count: number): string => writeDecimal(parseDecimal(amount) * BigInt(count))

/** Inserts a completed order of a member, with parts of one amount each that are due. */
export async function dueParts(
  on: TestApi,
  count: number,
  { amount = '100', address = sampleTokenAddress(crypto.randomUUID()), memberId, dueAt }: Wanted = {},
) {
  const owner = memberId ?? (await aSignedInMember(on)).id
  const wanted = { fabQty: times(amount, count), fabAddress: address, status: 'completed' } as const
  const order = await anOrder(on, owner, wanted)
  const due_at = dueAt ?? new Date(Date.now() - 60_000)
  const parts = await on.services.db
    .insertInto('delivery')
    .values(Array.from({ length: count }, (_, n) => ({ order_id: order.id, tranche: n + 1, amount, due_at })))
    .returningAll()
    .execute()
  return parts.map((part) => ({ ...part, address, memberId: owner, order }))
}

/** Inserts a completed order of a member, with one delivery that is due. */
export const aDueDelivery = async (on: TestApi, wanted: Wanted = {}) => (await dueParts(on, 1, wanted))[0]!

/** Staff who can decide about payouts. */
export async function officers(on: TestApi, count: number) {
  const made: TestMember[] = []
  for (let n = 0; n < count; n++) made.push(await aSignedInMember(on, { manage_finance: 2 }))
  return made as [TestMember, TestMember, ...TestMember[]]
}

export const nothingSent = 'Nothing was sent.'
export const secondPerson = (path: string) => [{ path, code: 'second_person' }]

export const approve = (on: TestApi, by: TestMember, id: string, hash: string) =>
  on.call(api.approvePayout, { params: { id }, body: { hash } }, as(by))

export const cancel = (on: TestApi, by: TestMember, id: string, deliveryIds?: string[]) =>
  on.call(
    api.cancelPayout,
    { params: { id }, body: { reason: nothingSent, ...(deliveryIds && { deliveryIds }) } },
    as(by),
  )

type Line = { reference: string; txId: string }

export const record = (on: TestApi, by: TestMember, id: string, lines: Line[]) =>
  on.call(api.recordPayoutTransactions, { params: { id }, body: { lines } }, as(by))

export const confirm = (on: TestApi, by: TestMember, id: string, deliveryIds: string[]) =>
  on.call(api.confirmPayoutItems, { params: { id }, body: { deliveryIds } }, as(by))

export const readRun = async (on: TestApi, by: TestMember, id: string): Promise<PayoutDetail> =>
  (await on.call(api.getPayout, { params: { id } }, as(by))).body

export const freeze = (on: TestApi, by: TestMember, deliveryIds: string[], total: string) =>
  on.call(api.freezePayout, { body: { deliveryIds, total } }, as(by))

/** Freezes the deliveries of one amount each into a run. */
export async function aRun(on: TestApi, by: TestMember, count = 1, amount = '100'): Promise<PayoutDetail> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await aDueDelivery(on, { amount })).id)
  return (await freeze(on, by, ids, times(amount, count))).body
}

export const exportFile = (on: TestApi, by: TestMember, id: string, format: PayoutFormat = 'csv') =>
  on.call(api.exportPayoutFile, { params: { id, format } }, as(by))

/** Freezes and exports a run. */
export async function anExportedRun(on: TestApi, by: TestMember, count = 1): Promise<PayoutDetail> {
  const run = await aRun(on, by, count)
  await exportFile(on, by, run.id)
  return run
}

type Token = Pick<TestApi['services']['config']['token'], 'network' | 'contract' | 'decimals'>

/** Stores a run of one delivery, for tests that act as someone else or need another token. */
export async function storeRun(
  on: TestApi,
  officerId: string,
  { needsTwo = false, token, ...wanted }: Wanted & { needsTwo?: boolean; token?: Token } = {},
) {
  const delivery = await aDueDelivery(on, wanted)
  const run = await storeRunOf(on, officerId, [delivery], { needsTwo, token })
  const item = await on.services.db
    .selectFrom('payout_item')
    .select('id')
    .where('run_id', '=', run.id)
    .executeTakeFirstOrThrow()
  return { ...run, reference: delivery.reference, deliveryId: delivery.id, itemId: item.id, officerId }
}

/** Stores a run of deliveries of one amount each. */
export async function storeRunOf(
  on: TestApi,
  officerId: string,
  deliveries: readonly { id: string; address: string; amount: string }[],
  { needsTwo = false, token }: { needsTwo?: boolean; token?: Token | undefined } = {},
) {
  const { db, config } = on.services
  const { network, contract, decimals } = token ?? config.token
  const { id, number } = await insertRun(db, {
    network,
    contract,
    decimals,
    items: deliveries.length,
    total: times(deliveries[0]!.amount, deliveries.length),
    frozenBy: officerId,
    needsTwo,
  })
  await insertItems(
    db,
    id,
    deliveries.map(({ id: deliveryId, address, amount }, n) => ({
      deliveryId,
      position: n + 1,
      address,
      amount,
    })),
  )
  const items = await listFrozenItems(db, id)
  const hash = hashOf(textOfRun({ number, network, contract, decimals, items }))
  await setHash(db, id, hash)
  return { id, hash }
}

type Seen = { address: string; amount: string; txId?: string; height?: number | null; isGone?: boolean }

/** Stores a transfer of the treasury as the watcher of the token found it. Returns its ID. */
export async function storeTransfer(
  { services: { db, config } }: TestApi,
  { address, amount, txId = `0x${randomBytes(32).toString('hex')}`, height = 100, isGone }: Seen,
): Promise<string> {
  const network = `${config.token.network} ${config.token.contract}`.trim()
  await db
    .insertInto('chain_watch')
    .values({ coin: tokenCoin, network })
    .onConflict((conflict) => conflict.column('coin').doNothing())
    .execute()
  await watchShared(db, tokenCoin, [{ address, target: address.toLowerCase() }])
  const { id: addressId } = await db
    .selectFrom('chain_address')
    .select('id')
    .where('coin', '=', tokenCoin)
    .where('address', '=', address)
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('chain_transfer')
    .values({
      coin: tokenCoin,
      address_id: addressId,
      tx_id: txId,
      output: 0,
      amount,
      height,
      block_hash: height === null ? null : `0x${'b'.repeat(64)}`,
      block_at: height === null ? null : new Date(),
      gone_at: isGone ? new Date() : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
