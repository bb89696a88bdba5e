import { sql, type RawBuilder } from 'kysely'
import type { AuditActionOn, AuditSubject } from '#contract/platform/audit-actions.ts'
import type { Tx } from '../db/database.ts'
import { paginate, type Page } from '../db/read-page.ts'
import { ago, staffName } from '../db/expressions.ts'
import { actingToken } from '../http/acting-token.ts'

/**
 * `detail` contains names of fields and states. The only personal values in it are the wallet addresses that a
 * correction of an order replaced: the destination of tokens is evidence for as long as the order is kept (decision
 * 80).
 */
type Entry<Subject extends AuditSubject> = {
  actorId: string | null
  action: AuditActionOn<Subject>
  subjectKind: Subject
  subjectId: string | null
  detail?: Record<string, string | number | boolean | string[]>
}

/** Returns the details. An action by a program is attributed to the token's owner and names the token. */
function detailOf({ detail }: Pick<Entry<AuditSubject>, 'detail'>): string {
  const token = actingToken()
  return JSON.stringify({ ...detail, ...(token && { token: token.id, tokenEnd: token.end }) })
}

/** Inserts an entry into the audit log. */
export async function recordAudit<Subject extends AuditSubject>(
  db: Tx,
  entry: Entry<Subject>,
): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values({
      actor_id: entry.actorId,
      action: entry.action,
      subject_kind: entry.subjectKind,
      subject_id: entry.subjectId,
      detail: detailOf(entry),
    })
    .execute()
}

/**
 * Links committed entries to the hash chain, in the order of their IDs, and returns their number. Returns 0 if another
 * instance is doing so.
 */
export async function sealEntries(db: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ sealed: number }>`select seal_audit_entries(${most}) as sealed`.execute(db)
  return rows[0]!.sealed
}

/** Whether an entry was written before this age, in milliseconds, and is still not in the chain. */
export async function hasUnsealed(db: Tx, age: number): Promise<boolean> {
  const row = await db
    .selectFrom('audit_entry')
    .select('id')
    .where('hash', 'is', null)
    .where('at', '<', ago(age))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Selects entries in the order in which they were written. */
const entriesAfter = (db: Tx, after: string | undefined) =>
  db
    .selectFrom('audit_entry')
    .select(['id', 'at', 'actor_id', 'action', 'subject_kind', 'detail'])
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id')

/** Looks up the IDs first, each by its index: in the order of all entries, those of one member are far apart. */
const isAmong = (found: RawBuilder<unknown>) => sql<boolean>`audit_entry.id = any (array(${found}))`

/** Lists actions of the member and actions on their record, oldest first. */
export const listAuditOfMember = (db: Tx, memberId: string, page: Page) =>
  paginate(
    entriesAfter(db, page.after).where(
      isAmong(sql`
        select id from audit_entry where actor_id = ${memberId}
        union all select id from audit_entry where subject_id = ${memberId} and subject_kind = 'member'`),
    ),
    page.limit,
    (row) => row.id,
  )

/**
 * Actions that the subject must not see: proposals are only for the second officer, and the subject learns of the
 * decision.
 */
export const hiddenFromSubject = [
  'kyc-final-proposed',
  'kyc-approval-proposed',
  'kyc-lift-proposed',
  'kyc-lift-taken-back',
  'kyc-refusal-shared',
  'kyc-proposal-dropped',
  'order-completion-proposed',
  'order-correction-proposed',
  'order-completion-declined',
  'order-completion-lapsed',
  'withdrawal-proposed',
] as const

/** Lists what others did with the member's orders and identity applications: views, changes, and decisions. */
export const listAuditOfRecords = (db: Tx, memberId: string, page: Page) =>
  paginate(
    entriesAfter(db, page.after)
      .where(
        isAmong(sql`
          select entry.id from kyc_application a
          join audit_entry entry on entry.subject_id = a.id and entry.subject_kind = 'kyc' where a.member_id = ${memberId}
          union all select entry.id from token_order o
          join audit_entry entry on entry.subject_id = o.id and entry.subject_kind = 'order' where o.member_id = ${memberId}`),
      )
      .where((where) => where.or([where('actor_id', 'is', null), where('actor_id', '!=', memberId)]))
      .where('action', 'not in', hiddenFromSubject)
      // After an application is deleted, only a proposal about it can still be read and answered.
      .where(
        sql<boolean>`not exists (select from kyc_application a
          where a.id = audit_entry.subject_id and a.deleted_at < audit_entry.at - interval '1 second')`,
      ),
    page.limit,
    (row) => row.id,
  )

/** Lists the display names of the people who did one of the actions to the record, newest first. */
export const listAuditOfSubject = (
  db: Tx,
  subjectKind: string,
  subjectId: string,
  actions: readonly string[],
) =>
  db
    .selectFrom('audit_entry')
    .leftJoin('member', 'member.id', 'audit_entry.actor_id')
    .select(['audit_entry.at', 'audit_entry.action', 'audit_entry.actor_id', 'member.display_name'])
    .where('subject_kind', '=', subjectKind)
    .where('subject_id', '=', subjectId)
    .where('action', 'in', actions)
    .orderBy('audit_entry.id', 'desc')
    .limit(200)
    .execute()

/** Lists every entry about the record in chain order, with the names of staff. */
export const listAuditOfRecord = (db: Tx, subjectKind: string, subjectId: string) =>
  db
    .selectFrom('audit_entry')
    .leftJoin('member', 'member.id', 'audit_entry.actor_id')
    .select(['seq', 'at', 'actor_id', 'action', 'detail', 'hash'])
    .select(staffName('member').as('actor_name'))
    .where('subject_kind', '=', subjectKind)
    .where('subject_id', '=', subjectId)
    .orderBy('audit_entry.id')
    .execute()

/** Returns the newest entry of these actions, with its position in the chain and its hash. */
export async function findAuditReceipt(
  db: Tx,
  subjectKind: string,
  subjectId: string,
  actions: readonly string[],
): Promise<{ at: Date; seq: number; hash: string } | null> {
  const row = await db
    .selectFrom('audit_entry')
    .select(['at', 'seq', 'hash'])
    .where('subject_kind', '=', subjectKind)
    .where('subject_id', '=', subjectId)
    .where('action', 'in', actions)
    .where('hash', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row ? { at: row.at, seq: Number(row.seq), hash: row.hash!.toString('hex') } : null
}

type ChainRow = { seq: string; text: string; previous: Buffer; hash: Buffer }

/** Lists the entries of the chain after this position, with the text that each hash is computed from. */
export async function listAuditChain(db: Tx, after: number, limit: number): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select seq, previous_hash as previous, hash, jsonb_build_array(
      seq, id, extract(epoch from at)::numeric::text, actor_id, action, subject_kind, subject_id, detail,
      encode(previous_hash, 'hex'))::text as text
    from audit_entry where seq > ${after} order by seq limit ${limit}`.execute(db)
  return rows
}
