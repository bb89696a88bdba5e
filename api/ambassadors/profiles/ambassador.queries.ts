import { sql } from 'kysely'
import type { AmbassadorStanding } from '#contract/console-ambassador-profiles.ts'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { literalInLike } from '../../db/literal-in-like.ts'
import { readPage, type Page } from '../../db/read-page.ts'

type NewAmbassador = {
  applicationId: string
  email: string
  fullName: string
  language: Language
  code: string
}

/** `address` is where mails go: the invitation's, and from joining on the account's. */
const withAddress = (db: Tx) =>
  db
    .selectFrom('ambassador')
    .leftJoin('member', 'member.id', 'ambassador.member_id')
    .selectAll('ambassador')
    .select([
      sql<string | null>`coalesce(member.email, ambassador.email)`.as('address'),
      sql<Language>`coalesce(member.language, ambassador.language)`.as('mail_language'),
    ])

export type AmbassadorRow = NonNullable<Awaited<ReturnType<typeof findAmbassador>>>

export const findAmbassador = (db: Tx, id: string) =>
  withAddress(db).where('ambassador.id', '=', id).executeTakeFirst()

/** Every change of an ambassador and of their profile waits for its turn here. */
export const lockAmbassador = (db: Tx, id: string) =>
  withAddress(db).where('ambassador.id', '=', id).forUpdate('ambassador').executeTakeFirst()

export const findAmbassadorOfMember = (db: Tx, memberId: string) =>
  withAddress(db).where('ambassador.member_id', '=', memberId).executeTakeFirst()

export const lockAmbassadorOfMember = (db: Tx, memberId: string) =>
  withAddress(db).where('ambassador.member_id', '=', memberId).forUpdate('ambassador').executeTakeFirst()

/** Who was accepted with the address and has not joined yet. */
const waitingFor = (db: Tx, email: string) =>
  withAddress(db)
    .where('ambassador.email', '=', email)
    .where('ambassador.member_id', 'is', null)
    .where('ended_at', 'is', null)

export const isInvited = async (db: Tx, email: string): Promise<boolean> =>
  (await waitingFor(db, email).executeTakeFirst()) !== undefined

export const lockInvited = (db: Tx, email: string) =>
  waitingFor(db, email).forUpdate('ambassador').executeTakeFirst()

/** Whoever was accepted with this application or this address, by the invitation or by the account they joined with. */
export async function lockAmbassadorOf(
  db: Tx,
  { applicationId, email }: { applicationId: string; email: string },
) {
  const row = await withAddress(db)
    .where((where) =>
      where.or([
        where('ambassador.application_id', '=', applicationId),
        where('ambassador.email', '=', email),
        where('member.email', '=', email),
      ]),
    )
    .orderBy(sql`ambassador.member_id is null`)
    .limit(1)
    .forUpdate('ambassador')
    .executeTakeFirst()
  return row && { ...row, is_new: false }
}

/** The unique index decides between two acceptances of one address at once. */
export async function insertOrLockAmbassador(db: Tx, made: NewAmbassador) {
  const inserted = await db
    .insertInto('ambassador')
    .values({
      application_id: made.applicationId,
      email: made.email,
      full_name: made.fullName,
      language: made.language,
      code: made.code,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (inserted) return { ...inserted, address: inserted.email, is_new: true }
  const known = await lockAmbassadorOf(db, made)
  if (!known)
    throw new Error('an ambassador was erased while an application of the same address was accepted')
  return known
}

/** Who was an ambassador is one again, from now on. */
export async function renewAmbassador(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('ambassador')
    .set({ since: sql<Date>`now()`, ended_at: null, hidden_at: null, reason: '' })
    .where('id', '=', id)
    .execute()
}

/** From now on the ambassador belongs to the account, whatever its address becomes. */
export async function bindAmbassador(db: Tx, id: string, memberId: string): Promise<void> {
  await db
    .updateTable('ambassador')
    .set({ member_id: memberId, email: null, joined_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

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

/** The caller erases the member whom it belongs to; what they wrote goes with it. */
export async function deleteAmbassadorOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('ambassador').where('member_id', '=', memberId).execute()
}

/** An invitation that waits for the member's mailbox goes, too; an account that has not proved it says nothing about its owner. */
export async function deleteInvitationTo(db: Tx, memberId: string): Promise<void> {
  await db
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
}

const isOnPage = sql<boolean>`ambassador.slug is not null and ambassador.hidden_at is null and ambassador.ended_at is null`

export async function setSlug(db: Tx, id: string, slug: string): Promise<void> {
  await db.updateTable('ambassador').set({ slug }).where('id', '=', id).execute()
}

/** Whether nobody had the address before. Whoever asks takes it for good. */
export async function takeSlug(db: Tx, slugHash: string): Promise<boolean> {
  const row = await db
    .insertInto('ambassador_slug')
    .values({ slug_hash: slugHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('slug_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Two who are placed at the same moment must not take the same place. */
const orderLock = 7_201_848

/** The ids of those on the page, in their order, which nobody changes until the end of the transaction. */
export async function lockOrder(db: Tx): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${orderLock})`.execute(db)
  return listOrder(db)
}

export async function listOrder(db: Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('ambassador')
    .select('id')
    .where(isOnPage)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function writeOrder(db: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    update ambassador set position = placed.at
    from unnest(${ids}::text[]) with ordinality as placed (id, at) where ambassador.id = placed.id`.execute(
    db,
  )
}

const standing = sql<AmbassadorStanding>`case
  when ambassador.ended_at is not null then 'ended'
  when ambassador.hidden_at is not null then 'hidden'
  when ambassador.slug is not null then 'public'
  when ambassador.member_id is not null then 'unwritten'
  else 'invited' end`

const listed = (db: Tx) =>
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
      'submitted.submitted_at',
      standing.as('standing'),
      sql<string>`coalesce(nullif(approved.name_en, ''), nullif(submitted.name_en, ''), ambassador.full_name)`.as(
        'name_en',
      ),
      sql<string>`coalesce(nullif(approved.name_cn, ''), nullif(submitted.name_cn, ''), ambassador.full_name)`.as(
        'name_cn',
      ),
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

export type ListedRow = NonNullable<Awaited<ReturnType<typeof findListed>>>

export const findListed = (db: Tx, id: string) =>
  listed(db).where('ambassador.id', '=', id).executeTakeFirst()

/** For staff: reaches every ambassador. What waits for the reader is not their own, and of nobody who was an ambassador once. */
export const listAnyAmbassadors = (
  db: Tx,
  readerId: string,
  filter: { q?: string | undefined; standing?: AmbassadorStanding | 'waiting' | undefined },
  page: Page,
) =>
  readPage(
    listed(db)
      .$if(filter.q !== undefined && filter.q !== '', (query) => {
        const pattern = `%${literalInLike(filter.q!.toLowerCase())}%`
        return query.where(
          sql<boolean>`lower(concat_ws(' ', ambassador.full_name, approved.name_en, approved.name_cn, ambassador.slug)) like ${pattern}`,
        )
      })
      .$if(filter.standing === 'waiting', (query) =>
        query
          .where('submitted.submitted_at', 'is not', null)
          .where('ambassador.ended_at', 'is', null)
          .where('ambassador.member_id', '<>', readerId),
      )
      .$if(filter.standing !== undefined && filter.standing !== 'waiting', (query) =>
        query.where(sql<boolean>`${standing} = ${filter.standing}`),
      ),
    page,
    { at: 'ambassador.created_at', id: 'ambassador.id' },
  )
