import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Consent } from '#contract/people/consents.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, fromNow } from '../../platform/db/expressions.ts'
import { isPending } from '../members/pending-password.queries.ts'

export type NewSignUp = {
  memberId: string
  codeHash: string
  passwordHash: string
  passwordLengthOkForStaff: boolean
  firstName: string
  lastName: string
  invitationCode: string
  /** Documents accepted with it; `consentedAt` is now unless given. */
  consents: readonly Consent[]
  consentedAt?: Date
  consentedFrom: string
}

export async function insertSignUp(db: Tx, signUp: NewSignUp, life: number): Promise<void> {
  await db
    .insertInto('sign_up')
    .values({
      member_id: signUp.memberId,
      code_hash: signUp.codeHash,
      password_hash: signUp.passwordHash,
      password_length_ok_for_staff: signUp.passwordLengthOkForStaff,
      first_name: signUp.firstName,
      last_name: signUp.lastName,
      invitation_code: signUp.invitationCode,
      consents: JSON.stringify(signUp.consents),
      consented_from: signUp.consentedFrom,
      ...(signUp.consentedAt ? { consented_at: signUp.consentedAt } : {}),
      expires_at: fromNow(life),
    })
    .execute()
}

/** Does the same work in the same time, and stores nothing. */
export async function insertSignUpAndRollBack(db: Tx, signUp: NewSignUp, life: number): Promise<void> {
  await sql`savepoint before_sign_up`.execute(db)
  await insertSignUp(db, signUp, life)
  await sql`rollback to savepoint before_sign_up`.execute(db)
}

/** The member's sign-ups with unused codes, valid or not, newest first. */
export const listUnusedSignUps = (db: Tx, memberId: string) =>
  db
    .selectFrom('sign_up')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()

/**
 * Whether someone signed up with the member's address, or chose a password for it, and no code or link has
 * ended that.
 */
export async function hasWaitingSignUp(db: Tx, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sign_up')
    .select('id')
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .where('replaced_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Invalidates unused codes. */
export async function replaceSignUps(db: Tx, memberId: string): Promise<void> {
  await db
    .updateTable('sign_up')
    .set({ replaced_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where(isPending)
    .execute()
}

/** The member whose sign-up awaits that code. */
export async function findPendingMember(
  db: Tx,
  codeHash: string,
  email: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_up')
    .innerJoin('member', 'member.id', 'sign_up.member_id')
    .select('sign_up.member_id')
    .where('member.email', '=', email)
    .where('code_hash', '=', codeHash)
    .where(isPending)
    .executeTakeFirst()
  return row?.member_id
}

/**
 * Consumes the code only if the member has no password: a sign-up must not change a password or reactivate an
 * account. The caller has locked the member, so that of two codes, or of a code and a closing, one waits for
 * the other.
 */
export const consumeSignUp = (db: Tx, codeHash: string, email: string) =>
  db
    .updateTable('sign_up')
    .from('member')
    .set({ used_at: sql<Date>`now()` })
    .whereRef('member.id', '=', 'sign_up.member_id')
    .where('member.email', '=', email)
    .where('member.password_hash', 'is', null)
    .where('member.closed_at', 'is', null)
    .where('member.erased_at', 'is', null)
    .where('code_hash', '=', codeHash)
    .where(isPending)
    .returning([
      'sign_up.member_id',
      'sign_up.password_hash',
      'sign_up.password_length_ok_for_staff',
      'sign_up.first_name',
      'sign_up.last_name',
      'sign_up.invitation_code',
      'sign_up.consents',
      'sign_up.consented_at',
      'sign_up.consented_from',
    ])
    .executeTakeFirst()

/**
 * The invitation code that the same person named in another sign-up, identified by the same password. A
 * stranger who signs up with someone else's address does not know it.
 */
export async function findNamedInvitation(
  db: Tx,
  { member_id, password_hash }: { member_id: string; password_hash: string },
): Promise<string> {
  const row = await db
    .selectFrom('sign_up')
    .select('invitation_code')
    .where('member_id', '=', member_id)
    .where('password_hash', '=', password_hash)
    .where('invitation_code', '!=', '')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.invitation_code ?? ''
}

/** Whether this code activated this address while it was valid. */
export async function wasUsed(db: Tx, codeHash: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('sign_up')
    .innerJoin('member', 'member.id', 'sign_up.member_id')
    .select('sign_up.id')
    .where('member.email', '=', email)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is not', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteSignUpsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('sign_up').where('member_id', '=', memberId).execute()
}

export const deleteDeadSignUps = (db: Tx) =>
  db
    .deleteFrom('sign_up')
    .where('expires_at', '<', ago(7 * DAY))
    .execute()
