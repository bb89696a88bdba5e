import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

/** Matches a changed token address, which the member can give again. */
const changedAddress = '$[*] ? (@.field == "fabAddress")'
/** Matches other changes of what is delivered or where. Setting a quantity for the first time changes nothing. */
const changedOther =
  '$[*] ? (@.field == "ethAddress" || @.field == "btcAddress" || (@.field == "fabQty" && @.before != null))'

/**
 * Returns the orders whose quantity or addresses the officer changed. A token address that the member gave afterwards is
 * the member's own.
 */
export async function listDeliveriesChangedBy(
  db: Tx,
  officerId: string | null,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (officerId === null || orderIds.length === 0) return new Set()
  const { rows } = await sql<{ order_id: string }>`
    select distinct step.order_id from order_step step
    where step.order_id = any(${orderIds}) and step.by_member_id = ${officerId} and step.kind <> 'correction_proposed'
      and (step.changes @? ${changedOther}::jsonpath
        or (step.changes @? ${changedAddress}::jsonpath
          and not exists (select from order_step given
            where given.order_id = step.order_id and given.id > step.id and given.kind = 'address_given')))`.execute(
    db,
  )
  return new Set(rows.map(({ order_id }) => order_id))
}
