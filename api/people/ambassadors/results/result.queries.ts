import { sql } from 'kysely'
import type {
  InvitationCause,
  InvitationFigures,
  InvitationFlag,
} from '#contract/people/ambassador-results.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { thisWeek } from './invitation.queries.ts'

const day = (column: string) => sql<string>`to_char(${sql.ref(column)}, 'YYYY-MM-DD')`

/** Selects what the ambassador sees: corrections made in the current week appear when it is over. */
const told = (ambassadorId: string) => sql`
  select week, sign_ups, activations, identities from invitation_week
  where ambassador_id = ${ambassadorId} and week < ${thisWeek}
  union all
  select week, -sign_ups, -activations, -identities from invitation_correction
  where ambassador_id = ${ambassadorId} and made_in = ${thisWeek}`

const ofAll = (ambassadorId: string) => sql`
  select week, sign_ups, activations, identities from invitation_week where ambassador_id = ${ambassadorId}`

/** Sums up all weeks or, for the ambassador, the completed ones. */
export async function readTotals(
  db: Tx,
  ambassadorId: string,
  { isOver }: { isOver: boolean },
): Promise<InvitationFigures> {
  const { rows } = await sql<InvitationFigures>`
    select coalesce(sum(sign_ups), 0)::integer as "signUps", coalesce(sum(activations), 0)::integer as activations,
      coalesce(sum(identities), 0)::integer as identities
    from (${isOver ? told(ambassadorId) : ofAll(ambassadorId)}) counted`.execute(db)
  return rows[0]!
}

/** Lists the last completed weeks, oldest first, including empty ones, but none from before the ambassadorship. */
export async function readWeeks(db: Tx, ambassadorId: string, weeksMax: number) {
  const { rows } = await sql<InvitationFigures & { week: string }>`
    select to_char(shown.week, 'YYYY-MM-DD') as week, coalesce(sum(sign_ups), 0)::integer as "signUps",
      coalesce(sum(activations), 0)::integer as activations, coalesce(sum(identities), 0)::integer as identities
    from ambassador,
      generate_series(
        greatest(date_trunc('week', created_at at time zone 'UTC'), ${thisWeek}::timestamp - ${weeksMax} * interval '7 days'),
        ${thisWeek}::timestamp - interval '7 days', interval '7 days') as shown (week)
    left join (${told(ambassadorId)}) counted on counted.week = shown.week::date
    where ambassador.id = ${ambassadorId}
    group by shown.week
    order by shown.week`.execute(db)
  return rows
}

/** Lists the ledger by week and cause, at most `weeksMax` weeks. */
export const readPoints = (db: Tx, ambassadorId: string, weeksMax: number) =>
  db
    .selectFrom('ambassador_point')
    .select([
      day('week').as('week'),
      sql<InvitationCause>`cause`.as('cause'),
      sql<boolean>`reverses is not null`.as('isReversal'),
      sql<number>`count(*)::integer`.as('count'),
      sql<number>`sum(points)::integer`.as('points'),
    ])
    .where('ambassador_id', '=', ambassadorId)
    .where(sql<boolean>`week < ${thisWeek} and week >= ${thisWeek} - ${weeksMax}::integer * 7`)
    .groupBy(['ambassador_point.week', 'cause', sql`reverses is not null`])
    .orderBy('ambassador_point.week', 'desc')
    .orderBy('cause')
    .orderBy(sql`reverses is not null`)
    .execute()

export async function readPointTotal(
  db: Tx,
  ambassadorId: string,
  { isOver }: { isOver: boolean },
): Promise<number> {
  const { total } = await db
    .selectFrom('ambassador_point')
    .select(sql<number>`coalesce(sum(points), 0)::integer`.as('total'))
    .where('ambassador_id', '=', ambassadorId)
    .$if(isOver, (query) => query.where(sql<boolean>`week < ${thisWeek}`))
    .executeTakeFirstOrThrow()
  return total
}

/** Counts an ambassador's invitations that don't count, by reason; one may have several. */
export async function readFlags(
  db: Tx,
  ambassadorId: string,
): Promise<{ flag: InvitationFlag; count: number }[]> {
  const { rows } = await sql<{ flag: InvitationFlag; count: number }>`
    select flag, count(*)::integer as count
    from invited_member, unnest(flags) as flag
    where ambassador_id = ${ambassadorId} group by flag order by flag`.execute(db)
  return rows
}
