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
  return (await freeze(on, by, ids, writeDecimal(parseDecimal(amount) * BigInt(count)))).body
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
  const { db, config } = on.services
  const { id: deliveryId, reference, address, amount } = await aDueDelivery(on, wanted)
  const { network, contract, decimals } = token ?? config.token
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
