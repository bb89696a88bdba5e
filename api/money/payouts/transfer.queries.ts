import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { payoutTransfersMax, type PayoutTransferProblem } from '#contract/money/payout-transfers.ts'
import { tokenCoin } from '#contract/money/chain-payments.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isOpen, paidAddresses } from '../deliveries/delivery-state.queries.ts'
import { nameOfOfficerIn } from '../orders/order-officer.queries.ts'

/** A block can claim to be up to two hours older than it is. */
const tolerance = sql`interval '2 hours'`

/** Transfers of the token as `transfer`, with their address as `receiver`. */
const tokenTransfers = sql`chain_transfer transfer join chain_address receiver on receiver.id = transfer.address_id`
const isOnChain = sql<SqlBool>`(transfer.height is not null and transfer.gone_at is null)`
const isProof = sql<SqlBool>`exists (select from payout_item proved where proved.transfer_id = transfer.id)`
const isDismissed = sql<SqlBool>`exists (select from payout_dismissed
  where payout_dismissed.transfer_id = transfer.id)`
/** Whether the network has the transfer, and nobody knows yet what it paid. */
const isUnexplained = sql<SqlBool>`(transfer.coin = ${sql.lit(tokenCoin)} and ${isOnChain} and not ${isProof}
  and not ${isDismissed})`

/** Whether the transfers that were read are of the network and contract of a `run`. */
const isReadFor = sql<SqlBool>`exists (select from chain_watch watched where watched.coin = ${sql.lit(tokenCoin)}
  and watched.network = trim(run.network || ' ' || run.contract))`

/** Items of exported runs that a transfer can prove: `item` and its `run`. */
const provable = sql`payout_item item join payout_run run on run.id = item.run_id
  where ${isReadFor} and item.address = receiver.address and item.amount = transfer.amount and item.is_live and item.transfer_id is null
    and item.tx_id in ('', transfer.tx_id) and run.first_exported_at <= transfer.block_at + ${tolerance}`

/** The run that a transfer belongs to; null if several runs match. The transaction that finance recorded decides. */
const runOfTransfer = sql<string | null>`coalesce(
  (select min(item.run_id) from ${provable} and item.tx_id <> '' having count(distinct item.run_id) = 1),
  (select min(item.run_id) from ${provable} having count(distinct item.run_id) = 1))`

/** Lists the runs that unexplained transfers belong to, the oldest transfers first. However many match none, none waits. */
export const listRunsToProve = async (db: Tx): Promise<string[]> => {
  const { rows } = await sql<{ run: string }>`select distinct run from (
    select ${runOfTransfer} as run from ${tokenTransfers}
      where ${isUnexplained} and exists (select from ${provable}) and ${runOfTransfer} is not null
      order by transfer.id limit 1000) found`.execute(db)
  return rows.map(({ run }) => run)
}

export type Transfer = { id: string; address: string; amount: string; tx_id: string }

/** Lists the transfers that belong to a run, the oldest first. */
export const listTransfersOfRun = async (db: Tx, runId: string): Promise<Transfer[]> =>
  (
    await sql<Transfer>`select transfer.id, receiver.address, transfer.amount, transfer.tx_id from ${tokenTransfers}
      where ${isUnexplained} and ${runOfTransfer} = ${runId} order by transfer.id`.execute(db)
  ).rows

export const findTransfer = async (db: Tx, id: string): Promise<Transfer | undefined> =>
  (
    await sql<Transfer>`select transfer.id, receiver.address, transfer.amount, transfer.tx_id from ${tokenTransfers}
      where ${isUnexplained} and transfer.id = ${id} for update of transfer`.execute(db)
  ).rows[0]

/**
 * Whether the network shows a payment to one of these items that proves no other delivery. One that is not in a block,
 * or no longer, may still arrive.
 */
export const isAnySeen = async (db: Tx, itemIds: readonly string[]): Promise<boolean> =>
  (
    await sql`select from payout_item item join payout_run run on run.id = item.run_id
      join chain_address receiver on receiver.coin = ${sql.lit(tokenCoin)} and receiver.address = item.address
      join chain_transfer transfer on transfer.address_id = receiver.id and transfer.amount = item.amount
      where item.id = any(${itemIds}) and transfer.gone_at is null and not ${isProof} and not ${isDismissed}
        and coalesce(transfer.block_at, transfer.first_seen_at) >= run.frozen_at - ${tolerance}
      limit 1`.execute(db)
  ).rows.length > 0

/**
 * Since when transfers may have paid what is not confirmed, or what a restored database doesn't know. Null if nothing
 * waits for the network.
 */
export const findUnprovenSince = async (db: Tx, network: string): Promise<Date | null> => {
  const { rows } = await sql<{ since: Date | null }>`select min(at) - 2 * ${tolerance} as since from (
    select run.first_exported_at as at from payout_run run
      where run.cancelled_at is null and trim(run.network || ' ' || run.contract) = ${network}
        and exists (select from payout_item item
          where item.run_id = run.id and item.is_live and item.confirmed_at is null)
    union all select since from payout_hold where released_at is null) unproven`.execute(db)
  return rows[0]?.since ?? null
}

/** Addresses of what was exported on the network and isn't confirmed. */
export const listUnprovenAddresses = async (db: Tx, network: string): Promise<string[]> => {
  const { rows } = await sql<{ address: string }>`select distinct item.address from payout_item item
    join payout_run run on run.id = item.run_id
    where item.is_live and item.confirmed_at is null and run.first_exported_at is not null
      and trim(run.network || ' ' || run.contract) = ${network}
      and not exists (select from chain_address known
        where known.coin = ${sql.lit(tokenCoin)} and known.address = item.address)`.execute(db)
  return rows.map(({ address }) => address)
}

/** Lists the items of a run whose transfer the network still has, or may have again. */
export const listProvedItems = async (db: Tx, runId: string): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('payout_item')
    .innerJoin('chain_transfer', 'chain_transfer.id', 'payout_item.transfer_id')
    .select('payout_item.id')
    .where('payout_item.run_id', '=', runId)
    .where('chain_transfer.gone_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Proves that an item was sent. A person may have recorded its transaction before. `assigned` says who assigned the
 * transfer and why, unless it was matched.
 */
export const proveItem = (
  db: Tx,
  itemId: string,
  { id, tx_id }: Pick<Transfer, 'id' | 'tx_id'>,
  assigned?: { by: string; reason: string },
) =>
  db
    .updateTable('payout_item')
    .set({
      transfer_id: id,
      tx_id,
      sent_at: sql<Date>`coalesce(sent_at, now())`,
      sent_by: sql<string | null>`coalesce(sent_by, ${assigned?.by ?? null})`,
      assign_reason: assigned?.reason ?? '',
    })
    .where('id', '=', itemId)
    .execute()

/** Lists the runs with items that can be confirmed, or whose confirmation the network took back. */
export const listRunsToConfirm = async (db: Tx, finalHeight: number): Promise<string[]> => {
  const { rows } = await sql<{ run: string }>`select distinct item.run_id as run
    from payout_item item join chain_transfer transfer on transfer.id = item.transfer_id
    where ${isToConfirm(finalHeight)} or ${isToRevert}`.execute(db)
  return rows.map(({ run }) => run)
}

const isToConfirm = (
  finalHeight: number,
): RawBuilder<SqlBool> => sql`(item.is_live and item.confirmed_at is null
  and transfer.height <= ${finalHeight} and transfer.gone_at is null)`
/** Another network or contract in the settings says nothing about what the former one confirmed. */
const isToRevert = sql<SqlBool>`(item.confirmed_at is not null and item.confirmed_by is null
  and transfer.height is null and transfer.reorganised_at is not null)`

const idsOf = async (db: Tx, runId: string, condition: RawBuilder<SqlBool>): Promise<string[]> =>
  (
    await sql<{ id: string }>`select item.id from payout_item item
      join chain_transfer transfer on transfer.id = item.transfer_id
      where item.run_id = ${runId} and ${condition}`.execute(db)
  ).rows.map(({ id }) => id)

export const listToConfirm = (db: Tx, runId: string, finalHeight: number) =>
  idsOf(db, runId, isToConfirm(finalHeight))
export const listToRevert = (db: Tx, runId: string) => idsOf(db, runId, isToRevert)

export const confirmByNetwork = (db: Tx, ids: readonly string[]) =>
  db
    .updateTable('payout_item')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('id', 'in', ids)
    .execute()

export const revertItems = (db: Tx, ids: readonly string[]) =>
  db.updateTable('payout_item').set({ confirmed_at: null }).where('id', 'in', ids).execute()

/** The run that has the delivery. */
export const findRunOf = async (db: Tx, deliveryId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('payout_item')
      .select('run_id')
      .where('delivery_id', '=', deliveryId)
      .where('is_live', '=', true)
      .executeTakeFirst()
  )?.run_id

export const dismissTransfer = (db: Tx, id: string, by: string, reason: string) =>
  db.insertInto('payout_dismissed').values({ transfer_id: id, by_member_id: by, reason }).execute()

/** Deliveries that a transfer may have paid: in no run, or in several exported ones. */
const candidates = sql`select delivery.id, delivery.reference, token_order.id as order_id,
    token_order.reference as order_reference, member.email, token_order.member_id,
    delivery.tranche, delivery.due_at
  from delivery join token_order on token_order.id = delivery.order_id
  left join member on member.id = token_order.member_id
  where delivery.amount = transfer.amount and (
    lower(receiver.address) = any(${paidAddresses}) and ${isOpen}
    or exists (select from ${provable} and item.delivery_id = delivery.id))`

const problem = sql<PayoutTransferProblem>`case
  when transfer.gone_at is not null then 'gone'
  when exists (select from ${provable}) then 'ambiguous'
  when exists (select from payout_item item where item.address = receiver.address and item.amount = transfer.amount
    and not item.is_live) then 'cancelled'
  else 'unmatched' end`

/** Those that prove nothing, and those that proved something and left the network. */
const isListed = sql<SqlBool>`(${isUnexplained} and ${runOfTransfer} is null
  or transfer.coin = ${sql.lit(tokenCoin)} and transfer.gone_at is not null and transfer.reorganised_at is not null
    and ${isProof} and not ${isDismissed})`

export type ListedCandidate = {
  id: string
  reference: string
  order_id: string
  order_reference: string
  email: string | null
  member_id: string
  tranche: number
  /** Text, because it is read as JSON. */
  due_at: string
}
type Listed = Transfer & {
  height: number | null
  first_seen_at: Date
  problem: PayoutTransferProblem
  deliveries: ListedCandidate[]
}

const listed = (
  condition: RawBuilder<SqlBool>,
) => sql<Listed>`select transfer.id, receiver.address, transfer.amount,
    transfer.tx_id, transfer.height, transfer.first_seen_at, ${problem} as problem,
    case when transfer.gone_at is null then (select coalesce(json_agg(found), '[]')
      from (${candidates} order by delivery.due_at, delivery.order_id, delivery.tranche limit 20) found) else '[]' end as deliveries
  from ${tokenTransfers} where ${condition} order by transfer.id desc limit ${payoutTransfersMax}`

export const listUnexplained = async (db: Tx): Promise<Listed[]> => (await listed(isListed).execute(db)).rows
export const findUnexplained = async (db: Tx, id: string): Promise<Listed | undefined> =>
  (await listed(sql`transfer.id = ${id} and ${isListed}`).execute(db)).rows[0]

/** Lists the transfers that finance dismissed, the last one first. */
export const listDismissed = (db: Tx) =>
  db
    .selectFrom('payout_dismissed')
    .innerJoin('chain_transfer', 'chain_transfer.id', 'payout_dismissed.transfer_id')
    .innerJoin('chain_address', 'chain_address.id', 'chain_transfer.address_id')
    .select(['chain_transfer.id', 'chain_transfer.tx_id', 'chain_transfer.amount', 'chain_address.address'])
    .select(['payout_dismissed.by_member_id', 'payout_dismissed.at', 'payout_dismissed.reason'])
    .select(nameOfOfficerIn('payout_dismissed.by_member_id').as('by_name'))
    .orderBy('payout_dismissed.at', 'desc')
    .orderBy('chain_transfer.id', 'desc')
    .limit(payoutTransfersMax)
    .execute()

/** Since when the listed transfers are known, for counts. */
export const unexplainedSince = (db: Tx) =>
  db
    .selectFrom('chain_transfer')
    .select('chain_transfer.first_seen_at as at')
    .where(sql<SqlBool>`chain_transfer.id in (select transfer.id from ${tokenTransfers} where ${isListed})`)
