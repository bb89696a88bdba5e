import { recordReached } from '../../platform/mail/bounces/mailbox-refusal.queries.ts'
import { sql } from 'kysely'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, staffName } from '../../platform/db/expressions.ts'
import { emptied } from './profile-columns.ts'

export const findMemberById = (db: Tx, id: string) =>
  db.selectFrom('member').selectAll().where('id', '=', id).executeTakeFirst()

/** List data of a member who is not erased. */
export const findSummary = (db: Tx, id: string) =>
  db
    .selectFrom('member_summary')
    .select(['joined_at', 'last_sign_in_at', 'has_factor', 'kyc_state'])
    .where('id', '=', id)
    .executeTakeFirst()

export const findStaffName = async (db: Tx, id: string): Promise<string | null> =>
  (
    await db
      .selectFrom('member')
      .select(staffName('member').as('name'))
      .where('id', '=', id)
      .executeTakeFirst()
  )?.name ?? null

export const getMemberById = (db: Tx, id: string) =>
  db.selectFrom('member').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The row is locked until the transaction ends, so that sign-in and a change of rights are serialized. */
export const lockMember = (db: Tx, memberId: string) =>
  db.selectFrom('member').selectAll().where('id', '=', memberId).forUpdate().executeTakeFirst()

export const lockMemberByEmail = (db: Tx, email: string) =>
  db.selectFrom('member').selectAll().where('email', '=', email).forUpdate().executeTakeFirst()

/** A member who may sign in, locked against erasure until the end of the transaction. */
export const lockActiveMember = (db: Tx, id: string) =>
  db
    .selectFrom('member')
    .select('id')
    .where('id', '=', id)
    .where('active', '=', true)
    .forKeyShare()
    .executeTakeFirst()

export const findMemberByEmail = (db: Tx, email: string) =>
  db.selectFrom('member').selectAll().where('email', '=', email).executeTakeFirst()

/** The same text as in `member_words`. */
export const searchedText = (member: string) =>
  sql`lower(${sql.join(
    ['email', 'display_name', 'first_name', 'last_name'].map((column) => sql.ref(`${member}.${column}`)),
    sql` || ' ' || `,
  )})`

export type MemberRow = NonNullable<Awaited<ReturnType<typeof findMemberById>>>

/** Whether signing up again must not open the account: it was activated once, or staff closed it. */
export const isProved = (member: MemberRow): boolean =>
  member.active || member.password_hash !== null || member.closed_at !== null

/**
 * Returns the member of that address, created as inactive if there is none. The unique index decides between
 * concurrent sign-ups; an existing member is locked, so that nobody deletes the row before references to it are
 * written.
 */
export async function insertOrFindMember(db: Tx, email: string, language: Language): Promise<MemberRow> {
  for (;;) {
    const inserted = await db
      .insertInto('member')
      .values({ email, language })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst()
    const member =
      inserted ??
      (await db.selectFrom('member').selectAll().where('email', '=', email).forKeyShare().executeTakeFirst())
    if (member) return member
  }
}

/** A sign-up that never verified its address does not block the member who has just verified it. */
export const lockUnprovedMember = (db: Tx, email: string) =>
  db
    .selectFrom('member')
    .select('id')
    .where('email', '=', email)
    .where('active', '=', false)
    .where('password_hash', 'is', null)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** The caller has locked the member, who never verified the address. */
export async function deleteUnprovedMember(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('member').where('id', '=', id).execute()
}

const signedUpSince = (age: number) => sql<boolean>`exists (
  select from sign_up where sign_up.member_id = member.id and sign_up.created_at >= ${ago(age)})`

const invitedSince = (age: number) => sql<boolean>`exists (
  select from staff_invitation where staff_invitation.member_id = member.id and staff_invitation.sent_at >= ${ago(age)})`

/** Members who signed up or were invited that long ago, never verified the address, and did not try again since. */
const forgottenSignUps = (db: Tx, age: number) =>
  db
    .selectFrom('member')
    .select('id')
    // A literal, as in the index.
    .where(sql<boolean>`not active and password_hash is null and closed_at is null and erased_at is null`)
    .where('created_at', '<', ago(age))
    .where(sql<boolean>`not ${signedUpSince(age)}`)
    .where(sql<boolean>`not ${invitedSince(age)}`)

export const listForgottenSignUps = (db: Tx, age: number, limit: number) =>
  forgottenSignUps(db, age).orderBy('created_at').limit(limit).execute()

/**
 * Whether this is still the case. The caller has locked the member: a statement does not see sign-ups that
 * others wrote while it waited for the lock.
 */
export async function isForgottenSignUp(db: Tx, id: string, age: number): Promise<boolean> {
  return (await forgottenSignUps(db, age).where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The caller has verified this under the lock. */
export async function deleteForgottenSignUp(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('member').where('id', '=', id).execute()
}

export type MemberChange = Partial<Omit<MemberRow, 'id' | 'created_at' | 'updated_at'>>

/**
 * Each change has a later time than the one before, so that the time identifies the state that a change was
 * based on.
 */
export const updateMemberRow = (db: Tx, id: string, change: MemberChange) =>
  db
    .updateTable('member')
    .set({ ...change, updated_at: sql<Date>`greatest(now(), updated_at + interval '1 millisecond')` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Does not change `updated_at`, on which the member's own changes depend. */
export const assignMemberRow = (db: Tx, id: string, assigneeId: string | null) =>
  db.updateTable('member').set({ assignee_id: assigneeId }).where('id', '=', id).execute()

export const unassignMembersOf = (db: Tx, assigneeId: string) =>
  db.updateTable('member').set({ assignee_id: null }).where('assignee_id', '=', assigneeId).execute()

/** Records that the email address is verified. */
export async function recordAddressVerified(db: Tx, id: string): Promise<void> {
  await db
    .updateTable('member')
    .set({ address_proved_at: sql<Date>`coalesce(address_proved_at, now())` })
    .where('id', '=', id)
    .execute()
  // Typing an emailed code proves that the member was reached.
  await recordReached(db, id)
}

/** The password was typed in the browser that opened the activation email, so its owner reads the mailbox. */
export async function recordSignInWhereActivated(db: Tx, id: string, proofHash: string): Promise<void> {
  await db
    .updateTable('member')
    .set({ address_proved_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('address_proved_at', 'is', null)
    .where('activated_with_hash', '=', proofHash)
    .execute()
}

/** The row stays as an empty stub, because retained orders and the audit log refer to it. */
/** The time of the last change stays, because it belongs to the profile, which others may be editing. */
export async function setOpensConsole(db: Tx, id: string, opensConsole: boolean): Promise<void> {
  await db.updateTable('member').set({ opens_console: opensConsole }).where('id', '=', id).execute()
}

export const emptyMemberRow = (db: Tx, id: string) =>
  updateMemberRow(db, id, { ...emptied, email: `erased-${id}@erased.invalid`, erased_at: new Date() })

/** Written by a trigger, which writes none for erased members. */
export async function deleteWordsOfMember(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('member_words').where('id', '=', id).execute()
}

/** Like `readAdmins`, with the rows locked. */
export async function lockAdmins(db: Tx) {
  await activeAdmins(db).select('id').orderBy('id').forUpdate().execute()
  // Read after the locks were acquired, because a statement sees the state at its start.
  return readAdmins(db)
}

/** Whether a member of the query has a second factor. */
export const hasFactor = sql<boolean>`(exists (select from totp where totp.member_id = member.id and totp.confirmed_at is not null)
        or exists (select from passkey where passkey.member_id = member.id))`

/** The active administrators and their data. */
export const readAdmins = (db: Tx) =>
  activeAdmins(db)
    .select(['id', 'password_length_ok_for_staff as hasLongPassword', hasFactor.as('hasFactor')])
    .execute()

const activeAdmins = (db: Tx) =>
  db.selectFrom('member').where('is_write_access_admin', '=', true).where('active', '=', true)

export const listActiveAdmins = (db: Tx) => activeAdmins(db).selectAll().orderBy('id').execute()

/** The IDs of members who were erased more than `age` milliseconds ago. */
export const erasedMembers = (db: Tx, age: number) =>
  db.selectFrom('member').select('id').where('erased_at', '<', ago(age))

/** Active members with any staff right, and the number without a second factor. */
export async function countStaff(db: Tx): Promise<{ all: number; withoutFactor: number }> {
  const { all, without } = await db
    .selectFrom('member')
    .where('active', '=', true)
    .where((is) =>
      is.or([
        is('is_write_access_admin', '=', true),
        is('manage_news', '>', 0),
        is('manage_employee', '>', 0),
        is('manage_finance', '>', 0),
        is('manage_coins', '>', 0),
      ]),
    )
    .select(sql<number>`count(*)::int`.as('all'))
    .select(sql<number>`(count(*) filter (where not ${hasFactor}))::int`.as('without'))
    .executeTakeFirstOrThrow()
  return { all, withoutFactor: without }
}
