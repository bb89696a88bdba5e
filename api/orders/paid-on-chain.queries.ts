import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/**
 * Returns the amount that the chain shows as an exact, timely, and final payment, regardless of who claims it for the
 * order; undefined if there is none.
 */
export const findPaidOnChain = async (db: Tx, orderId: string): Promise<string | undefined> =>
  (await listSeen(db, [orderId]))[0]?.received

/** Amounts that the chain shows as paid for an order; undefined if it shows none. */
type OnChain = {
  /** Exact, timely, and final payment, regardless of who claims it for the order. */
  seen: string | undefined
  /**
   * Payment that needs no reason: evidence, or a transaction at a shared address that the member reported and no other
   * order claims.
   */
  proven: string | undefined
  /**
   * Payment that proves what to deliver: it arrived at an address that only this order ever had, no other order claims
   * its transaction, and no staff member set or changed the amount due, the quantity, the payment method, or the
   * destination.
   */
  evidence: string | undefined
}

export async function findOnChain(db: Tx, orderId: string): Promise<OnChain> {
  const [seen] = await listSeen(db, [orderId])
  const isUndoubted = seen !== undefined && seen.is_alone && seen.is_as_quoted
  const isProven = isUndoubted && (seen.is_at_own_address || seen.is_reported_by_member)
  return {
    seen: seen?.received,
    proven: isProven ? seen.received : undefined,
    evidence: isUndoubted && seen.is_at_own_address ? seen.received : undefined,
  }
}

/** Lists the orders whose payment on chain is evidence, each with its amount. */
export async function listChainEvidence(
  db: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const evidence = (await listSeen(db, orderIds)).filter(
    ({ is_alone, is_as_quoted, is_at_own_address }) => is_alone && is_as_quoted && is_at_own_address,
  )
  return new Map(evidence.map(({ order_id, received }) => [order_id, received]))
}

type Seen = {
  order_id: string
  received: string
  /** It arrived at an address that only this order ever had. */
  is_at_own_address: boolean
  /** No other order has, had, or claimed its transactions, and finance removed none of them. */
  is_alone: boolean
  /**
   * The order is still as its member placed it, with a quote. A correction that doesn't list its changes may have
   * changed anything.
   */
  is_as_quoted: boolean
  is_reported_by_member: boolean
}

async function listSeen(db: Tx, orderIds: readonly string[]): Promise<Seen[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<Seen>`
    with paid as (
      select o.id, o.member_id, o.rate, o.tx_key, o.is_tx_shared, o.is_disputed, p.received, own.id as address_id, own.coin,
        own.id is not null
          and not exists (select from token_order other where other.id <> o.id and other.receiving_address <> ''
            and lower(other.receiving_address) = lower(o.receiving_address))
          and not exists (select from pay_method
            where lower(pay_method.receiving_address) = lower(o.receiving_address)) as is_at_own_address
      from chain_payment p join token_order o on o.id = p.order_id
        left join chain_address own
          on own.order_id = o.id and own.coin = p.coin and own.address = o.receiving_address
      where p.order_id = any(${orderIds}) and p.state = 'paid' and not p.is_gone),
    carried as (
      select id, tx_key from paid where tx_key <> ''
      union
      select paid.id, regexp_replace(t.tx_id, '^0x', '') from paid
        join chain_transfer t on t.address_id = paid.address_id and t.gone_at is null)
    select paid.id as order_id, paid.received, paid.is_at_own_address,
      not paid.is_tx_shared and not paid.is_disputed
        and not exists (select from carried
          where carried.id = paid.id and (
            exists (select from token_order other
              where other.tx_key = carried.tx_key and other.tx_key <> '' and other.id <> paid.id)
            or exists (select from order_step step
              where step.tx_key = carried.tx_key and step.tx_key <> ''
                and (step.order_id <> paid.id or step.kind in ('disputed', 'transaction_taken')))))
        and not exists (select from chain_transfer t
          join chain_transfer beside on beside.coin = t.coin and beside.tx_id = t.tx_id
          join chain_address elsewhere on elsewhere.id = beside.address_id
          where t.address_id = paid.address_id and t.gone_at is null and elsewhere.order_id <> paid.id) as is_alone,
      paid.rate is not null
        and not exists (select from order_step step
          where step.order_id = paid.id and (step.changes @? ${setByStaff}::jsonpath
            or (step.kind = 'corrected' and step.changes = '[]'))) as is_as_quoted,
      paid.tx_key <> '' and exists (select from order_step step
        where step.order_id = paid.id and step.tx_key = paid.tx_key and step.by_member_id = paid.member_id
          and step.kind in ('payment_reported', 'reported_late')) as is_reported_by_member
    from paid`.execute(db)
  return rows
}

const setByStaff = `$[*] ? (${[
  'amount',
  'fabQty',
  'payMethod',
  'receivingAddress',
  'fabAddress',
  'ethAddress',
  'btcAddress',
]
  .map((field) => `@.field == "${field}"`)
  .join(' || ')})`

/**
 * Whether the chain no longer shows the payment that finance recorded for the order: its block was replaced, or its
 * transaction disappeared and less than the recorded amount is left.
 */
export const hasLeftChain = async (db: Tx, orderId: string): Promise<boolean> =>
  (await db
    .selectFrom('token_order')
    .innerJoin('chain_payment', 'chain_payment.order_id', 'token_order.id')
    .select('token_order.id')
    .where('token_order.id', '=', orderId)
    .where('paid_amount', '>', '0')
    .where(
      sql<boolean>`(chain_payment.state = 'reorganised' or (chain_payment.received < paid_amount and exists (
        select from chain_transfer gone join chain_address own on own.id = gone.address_id
        where gone.gone_at is not null and gone.first_seen_at >= token_order.created_at
          and (own.order_id = token_order.id
            or (own.order_id is null and tx_key <> '' and tx_key = regexp_replace(gone.tx_id, '^0x', ''))))))`,
    )
    .executeTakeFirst()) !== undefined
