import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { Keys } from '../../platform/keys.ts'
import { saltOf } from '../../platform/password-hasher.ts'

const saltBytes = 16

/** A sign-up with a valid code. */
export const isPending = sql<boolean>`sign_up.expires_at > now() and sign_up.used_at is null and sign_up.replaced_at is null`

const pendingMax = 200

/**
 * The passwords of a member's waiting sign-ups, newest first, so that sign-in can answer "not activated" to
 * each person who chose one. Excludes those ended by a used code or a reset: someone who mistyped a password,
 * signed up again, and activated that would be told that the account is not active.
 */
export const pendingPasswordHashes = (memberId: RawBuilder<string>) => sql<string[]>`array(
  select sign_up.password_hash from sign_up where sign_up.member_id = ${memberId} and ${isPending}
  order by sign_up.created_at desc limit ${sql.lit(pendingMax)})`

/**
 * The salt of a sign-up: that of the account or of a waiting sign-up, so that one hash of a password can be
 * compared with all of theirs, and a sign-in costs the same whether the address is known or not. No two
 * addresses share one.
 */
export async function signUpSalt(db: Tx, keys: Keys, email: string): Promise<Buffer> {
  const row = await db
    .selectFrom('member')
    .select(['password_hash', pendingPasswordHashes(sql`member.id`).as('pending')])
    .where('email', '=', email)
    .executeTakeFirst()
  const first = Buffer.from(keys.blind(`sign-up salt ${email}`), 'base64url').subarray(0, saltBytes)
  return saltOf(row?.password_hash) ?? saltOf(row?.pending[0]) ?? first
}

/** The salt for a new password: while sign-ups wait, the previous one, which is theirs. */
export async function saltToKeep(db: Tx, memberId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('member')
    .select(['password_hash', pendingPasswordHashes(sql`member.id`).as('pending')])
    .where('id', '=', memberId)
    .executeTakeFirst()
  return row && row.pending.length > 0 ? (saltOf(row.password_hash) ?? saltOf(row.pending[0])) : undefined
}
