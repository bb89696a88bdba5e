import { sql } from 'kysely'
import { recording } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'
import { counting, type Counted, type KeyLimit } from '../rate-limits/rate-limit.queries.ts'
import type { MemberChange } from './member.queries.ts'
import type { MemberRecord } from '../http/caller.ts'
import { recordColumns } from './profile-columns.ts'

type Asked = {
  change: MemberChange
  lastUpdated: Date | undefined
  limit: KeyLimit
  /** The names of the fields, for the log. */
  fields: string[]
}

/**
 * What a member changes of what is shown of them alone, with its entry in the log and its count, in one statement. Nothing but the
 * count is written, and no record returned, beyond the limit, where nothing changes, and where the record is not that of
 * `lastUpdated` any more: a change that somebody else makes meanwhile is waited for, and then compared.
 */
export async function updateAtOnce(
  db: Tx,
  memberId: string,
  { change, lastUpdated, limit, fields }: Asked,
): Promise<Counted & { record: MemberRecord | undefined }> {
  const entries = Object.entries(change)
  const names = entries.map(([column]) => sql.ref(`member.${column}`))
  const set = entries.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const shown = recordColumns.map((column) => sql.ref(`updated.${column}`))
  const { rows } = await sql<Counted & (MemberRecord | { id: null })>`
    with counted as (${counting(limit)}),
    updated as (
      update member set ${sql.join(set)}, updated_at = greatest(now(), updated_at + interval '1 millisecond')
      from counted
      where member.id = ${memberId} and counted.count <= ${limit.max} and member.erased_at is null
        and (${sql.join(names)}) is distinct from (${sql.join(entries.map(([, value]) => value))})
        ${lastUpdated ? sql`and member.updated_at = ${lastUpdated}` : sql``}
      returning member.*),
    recorded as (${recording(
      {
        actorId: memberId,
        action: 'member-updated',
        subjectKind: 'member',
        subjectId: memberId,
        detail: { fields },
      },
      sql`from updated`,
    )})
    select counted.count, counted.wait, ${sql.join(shown)} from counted left join updated on true`.execute(db)
  const row = rows[0]!
  return { count: row.count, wait: row.wait, record: row.id === null ? undefined : row }
}
