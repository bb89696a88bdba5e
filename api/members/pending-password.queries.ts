import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'

const saltBytes = 16

const isWaiting = sql<boolean>`sign_up.expires_at > now() and sign_up.used_at is null`

/** A sign-up whose code still works. */
export const isPending = sql<boolean>`${isWaiting} and sign_up.replaced_at is null`

const pendingMax = 200

/**
 * The passwords of the sign-ups that wait, the newest first, so that sign-in can answer "not activated" to each person who
 * chose one of them. Until their time is over, also where the owner of the mailbox has ended the codes meanwhile: an answer
 * that changes sooner would tell that somebody has an account.
 */
export async function listPendingPasswordHashes(db: Tx, memberId: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('sign_up')
    .select('password_hash')
    .where('member_id', '=', memberId ?? '')
    .where(isWaiting)
    .orderBy('created_at', 'desc')
    .limit(pendingMax)
    .execute()
  return rows.map((row) => row.password_hash)
}

/**
 * One for all sign-ups of an address, so that one hash of a given password is compared with all of theirs. The account keeps
 * it until it sets another password; no two addresses share one.
 */
export const signUpSalt = (keys: Keys, email: string): Buffer =>
  Buffer.from(keys.blind(`sign-up salt ${email}`), 'base64url').subarray(0, saltBytes)
