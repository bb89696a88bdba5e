import { orderArrivals } from '../../chains/transfer.queries.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { listOrdersRefundedBy } from '../order-transaction.queries.ts'

export const listOrdersToPlan = (db: Tx, ids: readonly string[], isLocking: boolean) =>
  db
    .selectFrom('token_order')
    .selectAll()
    .where('id', 'in', ids.length > 0 ? ids : [''])
    // The same lock order as everywhere else.
    .orderBy('id')
    .$if(isLocking, (query) => query.forUpdate())
    .execute()

type WithKey = {
  id: string
  tx_key: string
  is_taken: boolean
  /** Whether a payment is recorded for the order, and this is its transaction. */
  is_paid: boolean
}

/** Lists the orders with any of the transactions, like `listOrdersWithTransaction` does for one. */
export async function listOrdersWithKeys(db: Tx, keys: readonly string[]): Promise<WithKey[]> {
  const { rows } = await sql<WithKey>`
    select id, tx_key, false as is_taken, coalesce(paid_amount > 0, false) as is_paid from token_order
    where tx_key <> '' and tx_key = any(${keys})
    union select of_step.id, order_step.tx_key, kind = 'transaction_taken', false
    from order_step join token_order of_step on of_step.id = order_id
    where order_step.tx_key <> '' and order_step.tx_key = any(${keys})
      and (kind = 'transaction_taken' or (kind <> 'disputed' and of_step.status <> 'pending'))
    union select order_id, tx_key, false, false from ${orderArrivals} arrived where tx_key = any(${keys})`.execute(
    db,
  )
  const refunded = await listOrdersRefundedBy(db, keys)
  // A refund isn't a payment for its own order either.
  return [...rows, ...refunded.map(({ id, key }) => ({ id, tx_key: key, is_taken: true, is_paid: false }))]
}

/** Lists the transactions reported for the member's own orders. */
export const listKeysOfMember = async (db: Tx, memberId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('order_step')
    .innerJoin('token_order', 'token_order.id', 'order_step.order_id')
    .select('order_step.tx_key')
    .distinct()
    .where('token_order.member_id', '=', memberId)
    .where('order_step.tx_key', '!=', '')
    .execute()
  return rows.map(({ tx_key }) => tx_key)
}

/** Returns which of the orders had one of the transactions reported for them. */
export const listOrdersNaming = async (
  db: Tx,
  orderIds: readonly string[],
  keys: readonly string[],
): Promise<string[]> => {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('order_step')
    .select('order_id')
    .distinct()
    .where('order_id', 'in', orderIds)
    .where('tx_key', 'in', keys)
    .execute()
  return rows.map(({ order_id }) => order_id)
}

/**
 * Raises the statement timeout: at commit, every change is chained into the audit log, which takes longer than one
 * statement is normally allowed.
 */
export async function allowLongCommit(db: Tx): Promise<void> {
  await sql`set local statement_timeout = '60s'`.execute(db)
}

const address = '$[*] ? (@.field == "fabAddress")'
const other = `$[*] ? (${['fabQty', 'ethAddress', 'btcAddress', 'amount', 'payMethod']
  .map((field) => `@.field == "${field}"`)
  .join(' || ')})`

export type SetByStaff = {
  order_id: string
  /**
   * Whether anyone but the member entered the order, or set its quantity, an address, its amount due, or its payment
   * method. A token address that the member gave afterwards is the member's own.
   */
  is_changed: boolean
  /** Whether staff entered its transaction, by hand or with an import. */
  is_named: boolean
}

/**
 * Returns what staff set in the orders. A correction that doesn't list its changes may have changed anything. Earlier
 * releases recorded the step of an entered order only with a reason, so the audit log says who created it.
 */
export async function listSetByStaff(
  db: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, SetByStaff>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<SetByStaff>`
    select o.id as order_id,
      exists (select from audit_entry entry
        where entry.subject_id = o.id and entry.action = 'order-created'
          and entry.actor_id is distinct from o.member_id)
      or exists (select from order_step step
        where step.order_id = o.id and step.by_member_id is distinct from o.member_id
          and step.kind <> 'correction_proposed'
          and (step.kind = 'entered' or (step.kind = 'corrected' and step.changes = '[]')
            or step.changes @? ${other}::jsonpath
            or (step.changes @? ${address}::jsonpath
              and not exists (select from order_step given
                where given.order_id = o.id and given.id > step.id and given.kind in ('address_given', 'address_changed'))))) as is_changed,
      exists (select from order_step step
        where step.order_id = o.id and step.tx_key = o.tx_key and step.tx_key <> ''
          and step.by_member_id <> o.member_id) as is_named
    from token_order o where o.id = any(${orderIds})`.execute(db)
  return new Map(rows.map((row) => [row.order_id, row]))
}
