import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** By accepted application: whom it made an ambassador, or who was one already with its address. */
export async function listAmbassadorsOf(
  db: Tx,
  applicationIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ application_id: string; id: string | null }>`
    select application.id as application_id, coalesce(
      (select a.id from ambassador a where a.application_id = application.id),
      (select a.id from ambassador a join member on member.id = a.member_id where member.email = application.email),
      (select a.id from ambassador a where a.member_id is null and a.email = application.email)) as id
    from ambassador_application application
    where application.id = any(${applicationIds}) and application.status = 'accepted'`.execute(db)
  return new Map(rows.flatMap(({ application_id, id }) => (id === null ? [] : [[application_id, id]])))
}
