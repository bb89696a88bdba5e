import { sql, type RawBuilder } from 'kysely'
import { pageSizeMax } from '#contract/platform/fields.ts'
import type { TimelineKind } from '#contract/platform/timeline.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isBeyond, paginate, writeCursor, type Page, type PageOf } from '../../platform/db/read-page.ts'
import { staffName } from '../../platform/db/expressions.ts'
import { isGeneralMail } from '../../platform/mail/console/console-mail.queries.ts'

/** One more than the largest page: the maximum that each part contributes. */
const partMax = pageSizeMax + 1

/**
 * What a reader sees in addition to the account itself. In their own timeline, staff see no proposals and
 * nothing about their identity.
 */
type Sight = { isFinance: boolean; isAdmin: boolean; isOwn: boolean }

export type TimelineRow = {
  id: string
  at: Date
  kind: TimelineKind
  what: string
  actor_id: string | null
  actor: string | null
  subject_id: string | null
  subject: string
  detail: unknown
}

type Part = { kind: TimelineKind; from: RawBuilder<unknown> }

const time = (column: string) => sql`date_trunc('milliseconds', ${sql.ref(column)})`

/** Views are a kind of their own, and added notes are shown with their text. */
const isShownAction = sql`action not in ('member-viewed', 'member-listed', 'note-added')`

/** Each selects: key, at, what, actor_id, subject_id, subject, detail. */
function partsOf(memberId: string, { isFinance, isAdmin, isOwn }: Sight): Part[] {
  const audit = sql`select 'a' || id, ${time('at')}, action, actor_id, null, '', detail from audit_entry
    where subject_kind = 'member' and subject_id = ${memberId}`
  const parts: Part[] = [
    {
      kind: 'signIn',
      from: sql`select 's' || id, at, 'signed-in', member_id, null, '',
        jsonb_build_object('device', device, 'factor', has_proved_factor) from sign_in where member_id = ${memberId}`,
    },
    {
      kind: 'change',
      from: sql`select 'c' || id, created_at, 'joined', id, null, '', '{}'::jsonb from member where id = ${memberId}`,
    },
    { kind: 'change', from: sql`${audit} and ${isShownAction}` },
    {
      kind: 'mail',
      from: sql`select 'm' || id, created_at, kind, null, null, '', jsonb_build_object('state', state) from mail
        where to_address = (select email from member where id = ${memberId})
          and (${isFinance || isAdmin} or ${isGeneralMail})`,
    },
    {
      kind: 'note',
      from: sql`select 'n' || id, at, kind::text, author_id, null, '', jsonb_build_object('text', text) from staff_note
        where member_id = ${memberId}`,
    },
  ]
  if (isAdmin) parts.push({ kind: 'view', from: sql`${audit} and action = 'member-viewed'` })
  if (!isFinance) return parts
  parts.push(
    {
      kind: 'order',
      from: sql`select 'o' || id, created_at, 'placed', member_id, id, reference, '{}'::jsonb from token_order
        where member_id = ${memberId}`,
    },
    {
      kind: 'order',
      from: sql`select 'p' || step.id, step.at, step.kind::text, step.by_member_id, token_order.id, reference, '{}'::jsonb
        from token_order join order_step step on step.order_id = token_order.id
        where token_order.member_id = ${memberId}
          and not (${isOwn} and step.kind in ('completion_proposed', 'completion_declined', 'completion_lapsed', 'correction_proposed', 'transaction_taken', 'withdrawal_proposed', 'line_dismissed', 'line_reopened'))`,
    },
  )
  if (isOwn) return parts
  return [
    ...parts,
    {
      kind: 'case',
      from: sql`select 'k' || id, created_at, 'submitted', member_id, id, '', '{}'::jsonb from kyc_application
        where member_id = ${memberId} and deleted_at is null`,
    },
    {
      kind: 'case',
      from: sql`select 'q' || step.id, ${time('step.at')}, step.to_status::text, step.by_member_id, a.id, '', '{}'::jsonb
        from kyc_application a join kyc_step step on step.application_id = a.id
        where a.member_id = ${memberId} and a.deleted_at is null`,
    },
  ]
}

/** One page of all events of an account, newest first. Each part contributes at most one page. */
export function listTimeline(
  db: Tx,
  memberId: string,
  sight: Sight,
  { limit, after, kind: only }: Page & { kind?: TimelineKind | undefined },
): Promise<PageOf<TimelineRow>> {
  const order = { at: 'at', id: 'id' }
  const shown = partsOf(memberId, sight).filter(({ kind }) => only === undefined || kind === only)
  if (shown.length === 0) return Promise.resolve({ rows: [], next: undefined })
  const parts = shown.map(
    ({
      kind,
      from,
    }) => sql`(select ${kind} as kind, part.* from (${from}) part (id, at, what, actor_id, subject_id, subject, detail)
      where ${isBeyond(after, order)} order by at desc, id desc limit ${partMax})`,
  )
  const query = db
    .selectFrom(sql<Omit<TimelineRow, 'actor'>>`(${sql.join(parts, sql` union all `)})`.as('entry'))
    .leftJoin('member', 'member.id', 'entry.actor_id')
    .select([
      'entry.id',
      'entry.at',
      'entry.kind',
      'entry.what',
      'entry.actor_id',
      'entry.subject_id',
      'entry.subject',
      'entry.detail',
      staffName('member').as('actor'),
    ])
    .orderBy('entry.at', 'desc')
    .orderBy('entry.id', 'desc')
  return paginate(query, limit, ({ at, id }) => writeCursor(at, id))
}
