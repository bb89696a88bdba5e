import { sql } from 'kysely'
import type { OrderState } from '#contract/money/orders.ts'
import type { Tx } from '../../platform/db/database.ts'
import { transactionKey } from './payment.rules.ts'

export type ImportedOrderRow = {
  id: string
  member_id: string
  email: string
  eth_address: string
  btc_address: string
  fab_address: string
  pay_method: string
  amount: string | null
  fab_qty: string | null
  rate: string | null
  currency: string | null
  status: OrderState
  reference: string
  tx_id: string
  is_tx_shared: boolean
  pay_before: Date | null
  created_at: Date
  updated_at: Date
}

/**
 * Inserts orders from an earlier site, with the step that closed or paid them. Staff are not notified, because the
 * importer already knows about these orders.
 */
export async function insertImportedOrders(db: Tx, rows: readonly ImportedOrderRow[]): Promise<void> {
  if (rows.length === 0) return
  const now = new Date()
  const written = rows.map((row) => ({
    ...row,
    tx_key: transactionKey(row.tx_id),
    reported_at: row.tx_id === '' ? null : row.updated_at,
    long_wait_told_at: now,
    not_payable_told_at: now,
    finance_told_at: now,
  }))
  const columns = sql.join(Object.keys(written[0]!).map((column) => sql.ref(column)))
  await sql`
    insert into token_order (${columns})
    select ${columns} from jsonb_populate_recordset(null::token_order, ${JSON.stringify(written)}::jsonb)`.execute(
    db,
  )
  const steps = written.flatMap((row) => {
    const kind = row.status === 'pending' ? row.tx_id !== '' && 'payment_reported' : row.status
    return kind ? [{ order_id: row.id, kind, at: row.updated_at, tx_id: row.tx_id, tx_key: row.tx_key }] : []
  })
  if (steps.length > 0)
    await sql`
      insert into order_step (order_id, kind, at, tx_id, tx_key)
      select order_id, kind, at, tx_id, tx_key
      from jsonb_populate_recordset(null::order_step, ${JSON.stringify(steps)}::jsonb)`.execute(db)
}

export const listOrdersWithIds = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('token_order')
    .selectAll()
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute()

/** Returns existing values that must be unique across orders. */
export const listExistingIdentifiers = (db: Tx, references: readonly string[], keys: readonly string[]) =>
  db
    .selectFrom('token_order')
    .select(['id', 'reference', 'tx_key', 'is_tx_shared'])
    .where(
      sql<boolean>`(reference = any (${references}::text[]) or (tx_key <> '' and tx_key = any (${keys}::text[])))`,
    )
    .execute()
