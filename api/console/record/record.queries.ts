import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { RecordFilters } from '#contract/console/console-audit-log.ts'
import type { SettingChange } from '#contract/people/settings.ts'
import { hiddenFromSubject } from '../../platform/audit/audit.queries.ts'
import type { Tx } from '../../platform/db/database.ts'
import { narrowed } from '../../platform/db/read-list.ts'
import { paginate, type Page, type PageOf } from '../../platform/db/read-page.ts'
import { endOfUtcDay, staffName, startOfUtcDay } from '../../platform/db/expressions.ts'
import { erasedOfficerName } from '../../money/orders/order-officer.queries.ts'

/** Who or what the filters name: an ID, null for the system, undefined without a filter. */
export type Named = { actorId?: string | null | undefined; subjectId?: string | undefined }

/** Expression of the index `audit_entry_of_changes`. */
const isChange = sql<SqlBool>`e.action !~ '-(listed|viewed)$'`

/**
 * Leaves out the reader's own identity and proposals about their own orders. Such entries keep their places in the
 * chain, which is verified as a whole.
 */
const isAboutOthers = (readerId: string) => sql<SqlBool>`
  not exists (select from kyc_application a where a.id = e.subject_id and a.member_id = ${readerId})
  and not (e.action in (${sql.join(hiddenFromSubject)})
    and exists (select from token_order o where o.id = e.subject_id and o.member_id = ${readerId}))`

/**
 * Lists one page of the log for a reader. Each filter has an index that ends with the sort order, so that no page needs
 * sorting.
 */
export function listEntries(
  db: Tx,
  { readerId, actorId, subjectId }: Named & { readerId: string },
  filters: RecordFilters,
  page: Page,
) {
  const direction = filters.sort === 'at' ? 'asc' : 'desc'
  const cursor = readCursor(page.after)
  const isBeyond = direction === 'desc' ? sql`<` : sql`>`
  const entries = db
    .selectFrom('audit_entry as e')
    .select(['e.id', 'e.at', 'e.actor_id', 'e.action', 'e.subject_kind', 'e.subject_id', 'e.detail'])
    .select(['e.seq', 'e.hash', microsecondsOf(sql`e.at`).as('place'), nameOfActor.as('actor_name')])
    .select(nameOfSubject.as('subject_name'))
    .select(keptChanges.as('changes'))
    .where(isAboutOthers(readerId))
  const query = narrowed(entries, filters, {
    actor: (rows) => rows.where('e.actor_id', actorId === null ? 'is' : '=', actorId ?? null),
    action: (rows, action) => rows.where('e.action', '=', action),
    kind: (rows, kind) => rows.where('e.subject_kind', '=', kind),
    subject: (rows) => rows.where('e.subject_id', '=', subjectId ?? null),
    what: (rows, what) => rows.where(what === 'changes' ? isChange : sql<SqlBool>`not (${isChange})`),
    from: (rows, from) => rows.where('e.at', '>=', startOfUtcDay(from)),
    to: (rows, to) => rows.where('e.at', '<', endOfUtcDay(to)),
  })
    .$if(cursor !== undefined, (query) =>
      query.where(sql<SqlBool>`(e.at, e.id) ${isBeyond} (${cursor!.at}::timestamptz, ${cursor!.id}::bigint)`),
    )
    .orderBy('e.at', direction)
    .orderBy('e.id', direction)
  return paginate(query, page.limit, ({ place, id }) =>
    Buffer.from(`${place} ${id}`).toString('base64url'),
  ) as Promise<PageOf<EntryRow>>
}

export type EntryRow = {
  id: string
  at: Date
  actor_id: string | null
  actor_name: string | null
  action: string
  subject_kind: string
  subject_id: string | null
  subject_name: string | null
  detail: unknown
  changes: SettingChange[] | null
  seq: string | null
  hash: Buffer | null
}

/** Looked up only for the rows of one page. */
const nameOfActor = sql<string | null>`(
  select case when m.erased_at is null then ${staffName('m')} else ${erasedOfficerName('m')} end
  from member m where m.id = e.actor_id)`

const nameOfSubject = sql<string | null>`case e.subject_kind
  when 'member' then (select ${staffName('m')} from member m where m.id = e.subject_id and m.erased_at is null)
  when 'order' then (select o.reference from token_order o where o.id = e.subject_id)
  when 'ambassador-application' then (select a.full_name from ambassador_application a where a.id = e.subject_id)
  when 'announcement' then (select a.title from announcement a where a.id = e.subject_id)
  when 'token' then (select t.name from api_token t where t.id = e.subject_id)
  when 'content' then e.subject_id
  when 'official' then (select k.value from known_entry k where k.id = e.subject_id)
end`

/** The version of the settings that was stored in the transaction of the entry. */
const keptChanges = sql<SettingChange[] | null>`case when e.action in ('sale-updated', 'app-updated') then (
  select v.changes from setting_version v
  where v.at = e.at::timestamptz(3) and v.subject::text = e.subject_kind order by v.id desc limit 1) end`

/** Microseconds distinguish entries of the same millisecond. */
const microsecondsOf = (at: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Decodes a cursor. An invalid one starts at the beginning of the list. */
function readCursor(text: string | undefined): { at: string; id: string } | undefined {
  if (!text) return undefined
  const decoded = Buffer.from(text, 'base64url').toString('utf8')
  const [, at, ms, id] =
    /^(([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{3}Z) (\d{1,18})$/.exec(decoded) ?? []
  const time = new Date(`${ms}Z`)
  const exists = !Number.isNaN(time.getTime()) && time.toISOString() === `${ms}Z`
  return at && id && exists ? { at, id } : undefined
}

export const findIdOfEmail = (db: Tx, email: string) =>
  db.selectFrom('member').select('id').where('email', '=', email).executeTakeFirst()

export const findIdOfReference = (db: Tx, reference: string) =>
  db.selectFrom('token_order').select('id').where('reference', '=', reference).executeTakeFirst()
