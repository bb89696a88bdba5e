import { sql, type Insertable, type SqlBool } from 'kysely'
import type { ambassadors, AmbassadorStanding } from '#contract/people/console-ambassador-profiles.ts'
import type { Language } from '#contract/platform/fields.ts'
import type { FiltersOf } from '#contract/platform/resource.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { ago, literalInLike } from '../../../platform/db/expressions.ts'
import { narrowed } from '../../../platform/db/read-list.ts'
import { readPage, type Page } from '../../../platform/db/read-page.ts'
import type { Ambassador } from '../../../platform/db/rows.ts'

export const isOnPage = sql<boolean>`ambassador.slug is not null and ambassador.hidden_at is null and ambassador.ended_at is null`

/** Email address: the invitation's until the ambassador joins, then the account's. */
const address = sql<
  string | null
>`coalesce((select m.email from member m where m.id = ambassador.member_id), ambassador.email)`

/** Whether the reader is the ambassador, or owns the invited mailbox, under any spelling of its address. */
const isOwnAmbassadorOf = (readerId: string) =>
  sql<boolean>`(ambassador.member_id is not distinct from ${readerId}
    or email_alias(${address}) = (select email_alias(m.email) from member m where m.id = ${readerId}))`

const withAddress = (db: Tx) =>
  db
    .selectFrom('ambassador')
    .leftJoin('member', 'member.id', 'ambassador.member_id')
    .selectAll('ambassador')
    .select([
      address.as('address'),
      sql<Language>`coalesce(member.language, ambassador.language)`.as('mail_language'),
    ])

export type AmbassadorRow = NonNullable<Awaited<ReturnType<typeof findAmbassadorOfMember>>>

/** Locks an ambassador, so that changes to them and their profile run one after the other. */
export const lockAmbassador = (db: Tx, id: string, readerId: string) =>
  withAddress(db)
    .select(isOwnAmbassadorOf(readerId).as('is_own'))
    .where('ambassador.id', '=', id)
    .forUpdate('ambassador')
    .executeTakeFirst()

export type LockedAmbassador = NonNullable<Awaited<ReturnType<typeof lockAmbassador>>>

export const findAmbassadorOfMember = (db: Tx, memberId: string) =>
  withAddress(db).where('ambassador.member_id', '=', memberId).executeTakeFirst()

export const lockAmbassadorOfMember = (db: Tx, memberId: string) =>
  withAddress(db).where('ambassador.member_id', '=', memberId).forUpdate('ambassador').executeTakeFirst()

/** Selects accepted applicants with the address who have not joined yet. */
const waitingFor = (db: Tx, email: string) =>
  withAddress(db)
    .where('ambassador.email', '=', email)
    .where('ambassador.member_id', 'is', null)
    .where('ended_at', 'is', null)

export const isInvited = async (db: Tx, email: string): Promise<boolean> =>
  (await waitingFor(db, email).executeTakeFirst()) !== undefined

export const lockInvited = (db: Tx, email: string) =>
  waitingFor(db, email).forUpdate('ambassador').executeTakeFirst()

/** Lock for concurrent acceptances of the same mailbox. */
const mailboxLock = 7_201_850

/**
 * Returns the ambassador with this mailbox, however its address is spelled, by the invitation or by the account they
 * joined with. Locks the mailbox until the transaction ends, so that no other ambassador can get it.
 */
export async function lockAmbassadorOf(db: Tx, email: string) {
  await sql`select pg_advisory_xact_lock(${mailboxLock}, hashtext(email_alias(${email})))`.execute(db)
  return withAddress(db)
    .where(
      sql<SqlBool>`ambassador.id in (
        select a.id from ambassador a where a.member_id is null and email_alias(a.email) = email_alias(${email})
        union all select a.id from member m join ambassador a on a.member_id = m.id where email_alias(m.email) = email_alias(${email}))`,
    )
    .orderBy(sql`ambassador.member_id is null`)
    .orderBy('ambassador.created_at')
    .limit(1)
    .forUpdate('ambassador')
    .executeTakeFirst()
}

/** Inserts an ambassador. The caller has checked under the lock that the mailbox has none. */
export const insertAmbassador = (db: Tx, made: Insertable<Ambassador>) =>
  db.insertInto('ambassador').values(made).returning('id').executeTakeFirstOrThrow()

/** Makes a former ambassador active again. A previously public profile stays hidden until a reviewer approves it. */
export const renewAmbassador = (db: Tx, id: string) =>
  db
    .updateTable('ambassador')
    .set({
      since: sql<Date>`now()`,
      ended_at: null,
      hidden_at: sql<Date | null>`case when slug is not null then now() end`,
      reason: '',
    })
    .where('id', '=', id)
    .execute()

/** Binds the ambassador to the account, regardless of later changes of its address. */
export const bindAmbassador = (db: Tx, id: string, memberId: string) =>
  db
    .updateTable('ambassador')
    .set({ member_id: memberId, email: null, joined_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()

export async function setStanding(
  db: Tx,
  id: string,
  to: 'active' | 'hidden' | 'ended',
  reason: string,
): Promise<void> {
  const now = sql<Date>`now()`
  await db
    .updateTable('ambassador')
    .set({
      hidden_at: to === 'hidden' ? now : null,
      ended_at: to === 'ended' ? now : null,
      reason: to === 'active' ? '' : reason,
    })
    .where('id', '=', id)
    .execute()
}

/** Deletes an invitation that no one accepted, with its counts. */
export const deleteInvitation = (db: Tx, id: string) =>
  db.deleteFrom('ambassador').where('id', '=', id).where('member_id', 'is', null).execute()

/**
 * Locks invitations that no one accepted and that were not repeated for `age` milliseconds. Concurrent instances get
 * different ones.
 */
export const lockExpiredInvitations = (db: Tx, age: number, limit: number) =>
  db
    .selectFrom('ambassador')
    .select('id')
    .where('member_id', 'is', null)
    .where('since', '<', ago(age))
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '<', ago(age))]))
    .where(
      sql<SqlBool>`not exists (select from ambassador_application p
        where p.ambassador_id = ambassador.id and p.state_at >= ${ago(age)})`,
    )
    .orderBy('since')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

/** Deletes the ambassador whose member the caller erases, with everything they wrote. */
export const deleteAmbassadorOfMember = (db: Tx, memberId: string) =>
  db.deleteFrom('ambassador').where('member_id', '=', memberId).execute()

/** Deletes a pending invitation to the member's mailbox. An unverified account does not prove who owns the mailbox. */
export const deleteInvitationTo = (db: Tx, memberId: string) =>
  db
    .deleteFrom('ambassador')
    .where('member_id', 'is', null)
    .where('email', '=', (query) =>
      query
        .selectFrom('member')
        .select('member.email')
        .where('member.id', '=', memberId)
        .where('address_proved_at', 'is not', null),
    )
    .execute()

const standing = sql<AmbassadorStanding>`case
  when ambassador.ended_at is not null then 'ended'
  when ambassador.hidden_at is not null then 'hidden'
  when ambassador.slug is not null then 'public'
  when ambassador.member_id is not null then 'unwritten'
  else 'invited' end`

const listed = (db: Tx, readerId: string) =>
  db
    .selectFrom('ambassador')
    .leftJoin('ambassador_profile as approved', (join) =>
      join.onRef('approved.ambassador_id', '=', 'ambassador.id').on('approved.state', '=', 'approved'),
    )
    .leftJoin('ambassador_profile as submitted', (join) =>
      join.onRef('submitted.ambassador_id', '=', 'ambassador.id').on('submitted.state', '=', 'submitted'),
    )
    .select([
      'ambassador.id',
      'ambassador.slug',
      'ambassador.since',
      'ambassador.created_at',
      'submitted.submitted_at as waits_since',
      standing.as('standing'),
      sql<string>`coalesce(nullif(approved.name_en, ''), nullif(submitted.name_en, ''), ambassador.full_name)`.as(
        'name_en',
      ),
      sql<string>`coalesce(nullif(approved.name_cn, ''), nullif(submitted.name_cn, ''), ambassador.full_name)`.as(
        'name_cn',
      ),
      isOwnAmbassadorOf(readerId).as('is_own'),
      sql<number>`(select coalesce(sum(activations), 0)::integer from invitation_week where ambassador_id = ambassador.id)`.as(
        'activations',
      ),
      sql<number>`(select coalesce(sum(identities), 0)::integer from invitation_week where ambassador_id = ambassador.id)`.as(
        'identities',
      ),
      sql<number>`(select count(*)::integer from invited_member where ambassador_id = ambassador.id and flags <> '{}')`.as(
        'flagged',
      ),
      sql<number | null>`case when ${isOnPage} then (select count(*)::integer from ambassador as other
        where other.slug is not null and other.hidden_at is null and other.ended_at is null
          and (other.position, other.id) <= (ambassador.position, ambassador.id)) end`.as('place'),
    ])

export type ListedRow = Awaited<ReturnType<typeof listAnyAmbassadors>>['rows'][number]

export const findListed = (db: Tx, id: string, readerId: string) =>
  listed(db, readerId)
    .select(['ambassador.full_name', 'ambassador.member_id', 'ambassador.code', 'ambassador.reason'])
    .select([
      address.as('email'),
      sql<string | null>`(select p.id from ambassador_application p where p.ambassador_id = ambassador.id
        order by p.created_at desc, p.id limit 1)`.as('application_id'),
    ])
    .where('ambassador.id', '=', id)
    .executeTakeFirst()

/**
 * Lists ambassadors of any member, for staff. Items that await the reader exclude their own and those of former
 * ambassadors.
 */
export const listAnyAmbassadors = (
  db: Tx,
  readerId: string,
  filters: FiltersOf<typeof ambassadors>,
  page: Page,
) =>
  readPage(
    narrowed(listed(db, readerId), filters, {
      q: (rows, q) =>
        rows.where(
          sql<boolean>`lower(concat_ws(' ', ambassador.full_name, approved.name_en, approved.name_cn, ambassador.slug)) like ${`%${literalInLike(q.toLowerCase())}%`}`,
        ),
      standing: (rows, wanted) =>
        wanted === 'waiting'
          ? rows
              .where('submitted.submitted_at', 'is not', null)
              .where('ambassador.ended_at', 'is', null)
              .where('ambassador.member_id', '<>', readerId)
          : rows.where(sql<boolean>`${standing} = ${wanted}`),
    }),
    page,
    { at: 'ambassador.created_at', id: 'ambassador.id' },
  )

/** Lock for the display order, so that two concurrent changes don't use the same position. */
const orderLock = 7_201_848

/** Returns the IDs of the ambassadors on the page, in display order, locked until the transaction ends. */
export async function lockOrder(db: Tx): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${orderLock})`.execute(db)
  return listOrder(db)
}

export async function listOrder(db: Tx): Promise<string[]> {
  const onPage = db.selectFrom('ambassador').select('id').where(isOnPage)
  const rows = await onPage.orderBy('position').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export const writeOrder = (db: Tx, ids: readonly string[]) =>
  sql`
    update ambassador set position = placed.at
    from unnest(${ids}::text[]) with ordinality as placed (id, at) where ambassador.id = placed.id`.execute(
    db,
  )

export const setSlug = (db: Tx, id: string, slug: string) =>
  db.updateTable('ambassador').set({ slug }).where('id', '=', id).execute()

/** Claims an address permanently. Returns false if someone had it before. */
export const claimSlug = async (db: Tx, slugHash: string): Promise<boolean> =>
  (await db
    .insertInto('ambassador_slug')
    .values({ slug_hash: slugHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('slug_hash')
    .executeTakeFirst()) !== undefined

/** Claims several addresses in a fixed order, so that concurrent claims can't deadlock. */
export async function claimSlugsOfContent(db: Tx, slugHashes: readonly string[]): Promise<void> {
  if (slugHashes.length === 0) return
  await db
    .insertInto('ambassador_slug')
    .values(slugHashes.toSorted().map((slug_hash) => ({ slug_hash, of_content: true })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns the addresses that someone who joined has or had. */
export async function listSlugsOfPeople(db: Tx, slugHashes: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('ambassador_slug')
    .select('slug_hash')
    .where('slug_hash', '=', sql<string>`any (${slugHashes}::text[])`)
    .where('of_content', '=', false)
    .execute()
  return rows.map(({ slug_hash }) => slug_hash)
}
