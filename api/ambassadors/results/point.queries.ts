import { sql } from 'kysely'
import type { InvitationCause } from '#contract/ambassador-results.ts'
import type { Tx } from '../../db/database.ts'
import { thisWeek } from './invitation.queries.ts'

type Cause = { ambassadorId: string; memberId: string; cause: InvitationCause }

/** Adds the points of a cause. The unique index allows each cause once until it is reversed. */
export async function appendPoints(
  db: Tx,
  { ambassadorId, memberId, cause }: Cause,
  points: number,
): Promise<void> {
  if (points === 0) return
  await sql`
    insert into ambassador_point (ambassador_id, member_id, cause, occasion, points, week)
    select ${ambassadorId}, ${memberId}, ${cause}::invitation_cause, count(reversal.id) + 1, ${points}, ${thisWeek}
    from ambassador_point entry left join ambassador_point reversal on reversal.reverses = entry.id
    where entry.member_id = ${memberId} and entry.cause = ${cause}::invitation_cause and entry.reverses is null
    on conflict do nothing`.execute(db)
}

/** Reverses the points of a cause, if there are any that were not reversed before. */
export async function reversePoints(db: Tx, { memberId, cause }: Omit<Cause, 'ambassadorId'>): Promise<void> {
  await sql`
    insert into ambassador_point (ambassador_id, member_id, cause, occasion, points, week, reverses)
    select entry.ambassador_id, entry.member_id, entry.cause, entry.occasion, -entry.points, ${thisWeek}, entry.id
    from ambassador_point entry
    where entry.member_id = ${memberId} and entry.cause = ${cause}::invitation_cause and entry.reverses is null
      and not exists (select from ambassador_point reversal where reversal.reverses = entry.id)
    on conflict do nothing`.execute(db)
}
