import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

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
                where given.order_id = o.id and given.id > step.id and given.kind = 'address_given')))) as is_changed,
      exists (select from order_step step
        where step.order_id = o.id and step.tx_key = o.tx_key and step.tx_key <> ''
          and step.by_member_id <> o.member_id) as is_named
    from token_order o where o.id = any(${orderIds})`.execute(db)
  return new Map(rows.map((row) => [row.order_id, row]))
}
