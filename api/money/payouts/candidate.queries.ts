import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import { payoutItemsMax, payoutWarnings, type PayoutWarning } from '#contract/money/payouts.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import { deliveryState, holdReason, isInState } from '../deliveries/delivery-state.queries.ts'
import { isDueFrom, isDueUntil, isFoundBy } from '../deliveries/delivery.queries.ts'
import { nameOfOfficerIn, officerNameWithAddress } from '../orders/order-officer.queries.ts'

/** A change of the address within this time is worth a look before tokens are sent there. */
const recentTime = 14 * DAY

/** Conditions on `delivery` and `token_order` for an address. */
const warningConditions = (address: RawBuilder<string>): Record<PayoutWarning, RawBuilder<SqlBool>> => ({
  new_address: sql`not exists (select from token_order earlier
    where earlier.member_id = token_order.member_id and earlier.id <> token_order.id
      and earlier.created_at < token_order.created_at and earlier.fab_address = ${address})`,
  changed_recently: sql`exists (select from order_step changed
    where changed.order_id = token_order.id and changed.at > ${ago(recentTime)}
      and (changed.kind::text = 'address_changed'
        or changed.kind::text = 'corrected' and changed.changes @> '[{"field": "fabAddress"}]'))`,
  shared: sql`(exists (select from token_order other
      where other.fab_address <> '' and lower(other.fab_address) = lower(${address})
        and other.member_id <> token_order.member_id)
    or exists (select from kyc_application other
      where lower(other.eth_address) = lower(${address}) and other.member_id <> token_order.member_id)
    or exists (select from kyc_application other
      where other.btc_address <> '' and other.btc_address = ${address}
        and other.member_id <> token_order.member_id))`,
  never_proved: sql`not exists (select from token_order theirs
    join delivery proved on proved.order_id = theirs.id
    join payout_item paid on paid.delivery_id = proved.id and paid.is_live
    where theirs.member_id = token_order.member_id and paid.confirmed_at is not null
      and paid.address = ${address})`,
})

const warningsAbout = (address: RawBuilder<string>) => {
  const conditions = warningConditions(address)
  const each = payoutWarnings.map((name) => sql`case when ${conditions[name]} then ${name}::text end`)
  return sql<PayoutWarning[]>`array_remove(array[${sql.join(each)}], null)`
}

const orderAddress = sql<string>`token_order.fab_address`

const selected = (db: Tx) =>
  db
    .selectFrom('delivery')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .select([
      'delivery.id',
      'delivery.reference',
      'delivery.amount',
      'delivery.order_id',
      'token_order.reference as order_reference',
      'token_order.created_at as order_created_at',
      'token_order.member_id',
      'token_order.fab_address as address',
    ])
    .select([deliveryState.as('state'), holdReason.as('hold')])
    .orderBy('delivery.due_at')
    .orderBy('delivery.id')

export type Candidate = Awaited<ReturnType<typeof listCandidatesById>>[number]

export const listCandidatesById = (db: Tx, ids: readonly string[]) =>
  selected(db).where('delivery.id', 'in', ids).execute()

/** Lists the deliveries that have warnings, with these. */
export const listWarnings = async (
  db: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PayoutWarning[]>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('delivery')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .select(['delivery.id', warningsAbout(orderAddress).as('warnings')])
    .where('delivery.id', 'in', ids)
    .execute()
  return new Map(rows.filter((row) => row.warnings.length > 0).map((row) => [row.id, row.warnings]))
}

type Selection = {
  q?: string | undefined
  warning?: PayoutWarning | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Lists due deliveries that match, the oldest first: one more than a run takes. */
export const listDueCandidates = (db: Tx, { q, warning, from, to }: Selection) =>
  selected(db)
    .where(isInState('due'))
    .$if(Boolean(q), (rows) => rows.where(isFoundBy(q!)))
    .$if(warning !== undefined, (rows) => rows.where(warningConditions(orderAddress)[warning!]))
    .$if(from !== undefined, (rows) => rows.where(isDueFrom(from!)))
    .$if(to !== undefined, (rows) => rows.where(isDueUntil(to!)))
    .limit(payoutItemsMax + 1)
    .execute()

/** Lists the items of a run as the console shows them. */
export const listShownItems = (db: Tx, runId: string) =>
  db
    .selectFrom('payout_item')
    .innerJoin('delivery', 'delivery.id', 'payout_item.delivery_id')
    .innerJoin('token_order', 'token_order.id', 'delivery.order_id')
    .leftJoin('member', 'member.id', 'token_order.member_id')
    .leftJoin('chain_transfer', 'chain_transfer.id', 'payout_item.transfer_id')
    .selectAll('payout_item')
    .select([
      'delivery.reference',
      'delivery.tranche',
      'token_order.id as order_id',
      'token_order.reference as order_reference',
      'token_order.member_id',
      'member.email as member_email',
      'chain_transfer.height',
    ])
    .select([
      warningsAbout(sql`payout_item.address`).as('warnings'),
      nameOfOfficerIn('payout_item.sent_by').as('sent_name'),
      nameOfOfficerIn('payout_item.confirmed_by').as('confirmed_name'),
    ])
    .where('payout_item.run_id', '=', runId)
    .orderBy('payout_item.position')
    .execute()

export const nameOfOfficer = async (db: Tx, id: string): Promise<string> =>
  (
    await db
      .selectFrom('member')
      .select(officerNameWithAddress('member').as('name'))
      .where('id', '=', id)
      .executeTakeFirst()
  )?.name ?? ''
