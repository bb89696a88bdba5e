import { sql, type SelectQueryBuilder, type RawBuilder, type SqlBool } from 'kysely'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { CaseFlag } from '#contract/people/kyc-review.ts'
import type { KycState } from '#contract/people/kyc.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { DB } from '../../../platform/db/rows.ts'
import {
  ago,
  literalInLike,
  selectStaffNameWithAddress,
  staffName,
} from '../../../platform/db/expressions.ts'
import { isBeyond, readPage, type Page } from '../../../platform/db/read-page.ts'
import { isRefused } from '../fingerprint.queries.ts'
import { openStates } from '../kyc.rules.ts'
import { isCase, lastDecisions, withoutProposals, type KycRow } from '../kyc.queries.ts'
import { containsAll, mayContainAll, readWords } from '../../../platform/db/read-words.ts'

type Chosen = SelectQueryBuilder<DB, 'kyc_application', KycRow>

export type CaseFilter = {
  states?: readonly KycState[] | undefined
  assigneeId?: string | null | undefined
  /** Leaves out proposals by this officer, because someone else must answer them. */
  notProposedBy?: string | undefined
  words?: string | undefined
  olderThanHours?: number | undefined
  flag?: CaseFlag | undefined
  /** The reading officer, who is the subject of their own application. */
  exceptOf: string
}

/** Columns of cases, for cases chosen by a cheaper query. */
const cases = (db: Tx, chosen: Chosen = db.selectFrom('kyc_application').selectAll()) =>
  db
    .selectFrom(chosen.as('kyc_application'))
    .leftJoin('member as assignee', 'assignee.id', 'kyc_application.assignee_id')
    .leftJoin('member as proposer', 'proposer.id', 'kyc_application.final_proposed_by')
    .leftJoin('member as approver', 'approver.id', 'kyc_application.approval_proposed_by')
    .leftJoin('member as reader', 'reader.id', 'kyc_application.screening_read_by')
    .leftJoin('member as lifter', 'lifter.id', 'kyc_application.final_lift_proposed_by')
    .innerJoin('member as applicant', 'applicant.id', 'kyc_application.member_id')
    .selectAll('kyc_application')
    .select([
      staffName('assignee').as('assignee_name'),
      selectStaffNameWithAddress('proposer').as('proposer_name'),
      selectStaffNameWithAddress('approver').as('approver_name'),
      staffName('reader').as('reader_name'),
      staffName('lifter').as('lifter_name'),
      'applicant.language as member_language',
    ])
    .where(isCase)

export const findCase = (db: Tx, id: string) =>
  cases(db).where('kyc_application.id', '=', id).executeTakeFirst()

export type CaseRow = NonNullable<Awaited<ReturnType<typeof findCase>>>

/** More than a page. Frequent words are found among this many cases. */
const firstSearched = 1000
const order = { at: 'kyc_application.waiting_since', id: 'kyc_application.id', direction: 'asc' } as const

/**
 * Longest waiting first, in index order. Frequent words are found by reading the first cases, rarer ones by the
 * index of words.
 */
export async function listCases(db: Tx, filter: CaseFilter, page: Page) {
  const chosen = chooseCases(db, filter, page)
  const first = cases(db, chosen.limit(firstSearched))
  if (!filter.words) return readPage(first, page, order)
  const words = readCaseWords(filter.words)
  if (!words) return { rows: [], next: undefined }
  const common = await readPage(first.where(matchesCase(words)), page, order)
  if (common.next !== undefined) return common
  const others = await chosen.offset(firstSearched).limit(1).execute()
  if (others.length === 0) return common
  return readPage(cases(db, chosen.where(findsCases(words)).limit(firstSearched)), page, order)
}

/** Whether no first approval of the officer awaits someone else. */
const isCaseProposedByOther = (memberId: string) =>
  sql<boolean>`kyc_application.final_proposed_by is distinct from ${memberId}
    and kyc_application.approval_proposed_by is distinct from ${memberId}`

/** The same cases as in the queue, unordered. */
export function filterCases(db: Tx, filter: CaseFilter): Chosen {
  const { states, assigneeId, olderThanHours } = filter
  let chosen: Chosen = db
    .selectFrom('kyc_application')
    .selectAll()
    .where(isCase)
    .where('kyc_application.member_id', '<>', filter.exceptOf)
  if (states) chosen = chosen.where('kyc_application.status', 'in', states)
  if (assigneeId === null) chosen = chosen.where('kyc_application.assignee_id', 'is', null)
  // Decided cases are unassigned, so officers find their own by the decision.
  else if (assigneeId !== undefined)
    chosen = chosen.where(
      sql<boolean>`coalesce(kyc_application.assignee_id, kyc_application.decided_by) = ${assigneeId}`,
    )
  if (filter.notProposedBy !== undefined) chosen = chosen.where(isCaseProposedByOther(filter.notProposedBy))
  if (olderThanHours !== undefined)
    chosen = chosen.where('kyc_application.waiting_since', '<=', new Date(Date.now() - olderThanHours * HOUR))
  return filter.flag === undefined ? chosen : chosen.where(caseFlagConditions(filter.exceptOf)[filter.flag])
}

const isOpenCase = sql<boolean>`kyc_application.status = any(${openStates})`

/** Each flag as `memberId` sees it. */
const caseFlagConditions = (memberId: string): Record<CaseFlag, RawBuilder<boolean>> => ({
  possible_match: sql`kyc_application.possible_matches > 0`,
  refused_before: sql`kyc_application.id = any(array(${sharingWithRefused}))`,
  answered: sql`kyc_application.round > 1 and ${isOpenCase}`,
  second_person: sql`(kyc_application.final_proposed_by is not null or kyc_application.approval_proposed_by is not null)
    and ${isOpenCase} and ${isCaseProposedByOther(memberId)}`,
})

const chooseCases = (db: Tx, filter: CaseFilter, page: Page): Chosen =>
  filterCases(db, filter)
    .where(isBeyond(page.after, order))
    .orderBy('kyc_application.waiting_since')
    .orderBy('kyc_application.id')

/** Rejected cases are few, so the search for shared data starts from them. */
const sharingWithRefused = sql`
  select own.application_id from kyc_fingerprint theirs
  join kyc_fingerprint own on own.hash = theirs.hash and own.kind = theirs.kind
  where theirs.application_id = any(array(select other.id from kyc_application other where ${isRefused}))
    and own.application_id <> theirs.application_id`

export async function assignCase(db: Tx, id: string, assigneeId: string | null): Promise<void> {
  await db
    .updateTable('kyc_application')
    .set({ assignee_id: assigneeId, assigned_at: assigneeId === null ? null : sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

type Proposal = { by: string; reason: string; note: string | undefined }

/**
 * Records the first approval, after which the case is unassigned. The applicant sees when an application last
 * changed, so a proposal must not change that time.
 */
const propose = (db: Tx, id: string, note: string | undefined) =>
  db
    .updateTable('kyc_application')
    .set({ assignee_id: null, assigned_at: null, ...(note === undefined ? {} : { note }) })
    .where('id', '=', id)
    .returningAll()

export const proposeFinal = (db: Tx, id: string, { by, reason, note }: Proposal) =>
  propose(db, id, note)
    .set({
      ...withoutProposals,
      final_proposed_by: by,
      final_proposed_at: sql<Date>`now()`,
      final_proposed_reason: reason,
    })
    .executeTakeFirstOrThrow()

export const proposeApproval = (db: Tx, id: string, { by, note }: Omit<Proposal, 'reason'>) =>
  propose(db, id, note)
    .set({ approval_proposed_by: by, approval_proposed_at: sql<Date>`now()` })
    .executeTakeFirstOrThrow()

export async function discardProposals(db: Tx, id: string): Promise<void> {
  await db.updateTable('kyc_application').set(withoutProposals).where('id', '=', id).execute()
}

/** Cancels the first approval, because the evidence has changed since. */
export async function cancelApprovalProposal(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('kyc_application')
    .set({ approval_proposed_by: null, approval_proposed_at: null })
    .where('id', '=', id)
    .execute()
}

export async function proposeReversal(db: Tx, id: string, memberId: string): Promise<void> {
  await db
    .updateTable('kyc_application')
    .set({ final_lift_proposed_by: memberId, final_lift_proposed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function withdrawReversal(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('kyc_application')
    .set({ final_lift_proposed_by: null, final_lift_proposed_at: null })
    .where('id', '=', id)
    .execute()
}

export async function lift(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('kyc_application')
    .set({
      is_final: false,
      ...withoutProposals,
      final_lift_proposed_by: null,
      final_lift_proposed_at: null,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Marks a rejection as final. If the applicant deletes the application before or after, the decision stays in force.
 */
export async function markFinal(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('kyc_application')
    .set({ is_final: true, deleted_at: null, approval_proposed_by: null, approval_proposed_at: null })
    .where('id', '=', id)
    .execute()
}

export const savePhotoVerdict = (
  db: Tx,
  id: string,
  n: number,
  reviewed: { verdict: string; reason?: string | undefined; note?: string | undefined },
) =>
  db
    .updateTable('kyc_photo')
    .set({
      verdict: reviewed.verdict,
      ...(reviewed.reason === undefined ? {} : { reason: reviewed.reason }),
      ...(reviewed.note === undefined ? {} : { note: reviewed.note }),
    })
    .where('application_id', '=', id)
    .where('n', '=', n)
    .returningAll()
    .executeTakeFirst()

type Duplicate = {
  id: string
  full_name: string
  member_id: string
  status: KycState
  created_at: Date
  by_document: boolean
  by_eth: boolean
  by_btc: boolean
  by_email: boolean
}

/**
 * Applications of other members that share a picture, an address, or an email address (without the parts that
 * mail services ignore).
 */
export async function findDuplicates(db: Tx, row: CaseRow): Promise<Duplicate[]> {
  const { rows } = await sql<Duplicate>`
    select * from (
      select other.id, other.full_name, other.member_id, other.status, other.created_at,
        exists (
          select 1 from kyc_photo theirs join kyc_photo own on own.content_hash = theirs.content_hash
          where theirs.application_id = other.id and own.application_id = ${row.id}
        ) as by_document,
        other.eth_address <> '' and lower(other.eth_address) = lower(${row.eth_address}) as by_eth,
        other.btc_address <> '' and other.btc_address = ${row.btc_address} as by_btc,
        other.email <> '' and other.email_alias = ${row.email_alias} as by_email
      from kyc_application other
      where other.deleted_at is null and other.member_id <> ${row.member_id} and (
        (other.eth_address <> '' and lower(other.eth_address) = lower(${row.eth_address}))
        or (other.btc_address <> '' and other.btc_address = ${row.btc_address})
        or (other.email <> '' and other.email_alias = ${row.email_alias})
        or other.id in (
          select theirs.application_id from kyc_photo theirs join kyc_photo own on own.content_hash = theirs.content_hash
          where own.application_id = ${row.id} and theirs.application_id <> ${row.id}
        )
      )
    ) found order by created_at desc limit 50`.execute(db)
  return rows
}

/** Which of these applications have duplicates as in `findDuplicates`, in one query for a page. */
export async function listDuplicated(db: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    with own as (select * from kyc_application where id = any(${ids})),
      other as not materialized (select * from kyc_application where deleted_at is null)
    select own.id from own join other on lower(other.eth_address) = lower(own.eth_address)
      where own.eth_address <> '' and other.member_id <> own.member_id
    union select own.id from own join other on other.btc_address = own.btc_address and other.btc_address <> ''
      where own.btc_address <> '' and other.member_id <> own.member_id
    union select own.id from own join other on other.email_alias = own.email_alias
      where own.email <> '' and other.member_id <> own.member_id
    union select own.id from own
      join kyc_photo mine on mine.application_id = own.id
      join kyc_photo theirs on theirs.content_hash = mine.content_hash
      join other on other.id = theirs.application_id
      where other.member_id <> own.member_id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Number of pending cases by state, and decisions of the last 30 days, whatever happened to them since. */
export async function countCases(db: Tx) {
  const { rows } = await sql<{ status: KycState; waiting: number; oldest: number | null }>`
    select status, count(*)::int as waiting,
      (extract(epoch from max(now() - waiting_since)) / 3600)::float8 as oldest
    from kyc_application where status in ('submitted', 'in_review', 'more_info') and ${isCase} group by status`.execute(
    db,
  )
  const decided = await sql<{ status: KycState; count: number }>`
    select to_status as status, count(*)::int as count
    from kyc_step where at > ${ago(30 * DAY)} group by to_status`.execute(db)
  const median = await sql<{ hours: number | null }>`
    select extract(epoch from percentile_cont(0.5) within group (order by decided_at - waiting_since))::float8 / 3600 as hours
    from (${lastDecisions(30 * DAY)}) decided`.execute(db)
  return { byStatus: rows, decided: decided.rows, medianHours: median.rows[0]?.hours ?? null }
}

export const listStepsWithNames = (db: Tx, id: string) =>
  db
    .selectFrom('kyc_step')
    .leftJoin('member', 'member.id', 'kyc_step.by_member_id')
    .selectAll('kyc_step')
    .select(staffName('member').as('by_name'))
    .where('application_id', '=', id)
    .orderBy('kyc_step.id')
    .execute()

type Words = NonNullable<ReturnType<typeof readWords>>

/**
 * Search words: the ID of a case or its applicant, or words of names and email address, one of which may be the start
 * of a chain address.
 */
type CaseWords = { words: Words; address: string | undefined }

/** Shorter ones would match too many addresses. */
const addressPattern = /^[0-9a-z]{5,128}$/i

function readCaseWords(q: string): CaseWords | undefined {
  const words = readWords(q)
  return words ? { words, address: addressPattern.test(q.trim()) ? q.trim() : undefined } : undefined
}

/** Written exactly as in the index `kyc_application_searched`. */
const text = sql`lower(kyc_application.full_name || ' ' || kyc_application.last_name || ' ' || kyc_application.email)`

const beginning = (address: string) => `${literalInLike(address)}%`

/** For cases that are read in any case. */
function matchesCase({ words, address }: CaseWords): RawBuilder<SqlBool> {
  if ('id' in words) return sql`(kyc_application.id = ${words.id} or kyc_application.member_id = ${words.id})`
  const inText = containsAll(text, words)
  if (address === undefined) return inText
  return sql`(${inText} or lower(kyc_application.eth_address) like ${beginning(address.toLowerCase())}
    or kyc_application.btc_address like ${beginning(address)})`
}

/** Uses one index per search field. */
function findsCases({ words, address }: CaseWords): RawBuilder<SqlBool> {
  const from = sql`select kyc_application.id from kyc_application where`
  const ways =
    'id' in words
      ? [sql`${from} kyc_application.id = ${words.id}`, sql`${from} kyc_application.member_id = ${words.id}`]
      : [sql`${from} ${mayContainAll(sql`member_grams(${text})`, words)} and ${containsAll(text, words)}`]
  if (address !== undefined)
    ways.push(
      sql`${from} lower(kyc_application.eth_address) like ${beginning(address.toLowerCase())}`,
      sql`${from} kyc_application.btc_address <> '' and kyc_application.btc_address like ${beginning(address)}`,
    )
  return sql<SqlBool>`kyc_application.id in (${sql.join(ways, sql` union all `)})`
}
