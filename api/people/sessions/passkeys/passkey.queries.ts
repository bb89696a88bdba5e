import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { fromNow } from '../../../platform/db/expressions.ts'

export type ChallengePurpose = 'create' | 'sign_in' | 'second_factor' | 'step_up'

export const listPasskeysOfMember = (db: Tx, memberId: string) =>
  db
    .selectFrom('passkey')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export type PasskeyRow = Awaited<ReturnType<typeof listPasskeysOfMember>>[number]

/** Of any member: the credential identifies the member. */
export const findAnyPasskey = (db: Tx, credentialId: string) =>
  db.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

export async function countPasskeys(db: Tx, memberId: string): Promise<number> {
  const row = await db
    .selectFrom('passkey')
    .select((select) => select.fn.countAll().as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export const insertPasskey = (
  db: Tx,
  passkey: {
    memberId: string
    credentialId: string
    publicKey: Buffer
    signCount: number
    transports: string[]
    name: string
    synced: boolean
  },
) =>
  db
    .insertInto('passkey')
    .values({
      member_id: passkey.memberId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: JSON.stringify(passkey.transports),
      name: passkey.name,
      synced: passkey.synced,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const renamePasskeyOfMember = (db: Tx, memberId: string, id: string, name: string) =>
  db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .returningAll()
    .executeTakeFirst()

export const deletePasskeyOfMember = (db: Tx, memberId: string, id: string) =>
  db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('member_id', '=', memberId)
    .returning('name')
    .executeTakeFirst()

/** Also removes the member's pending challenges. */
export async function deletePasskeys(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('passkey').where('member_id', '=', memberId).execute()
  await db.deleteFrom('passkey_challenge').where('member_id', '=', memberId).execute()
}

/**
 * Records a use; false if the counter has not increased or the passkey was removed. Authenticators without a
 * counter always report 0 (WebAuthn 6.1.1).
 */
export async function countPasskeyUse(
  db: Tx,
  id: string,
  signCount: number,
  synced: boolean,
): Promise<boolean> {
  const row = await db
    .updateTable('passkey')
    .set({ sign_count: signCount, synced, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('sign_count', '<', String(signCount)),
        where.and([where('sign_count', '=', '0'), where.lit(signCount === 0)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertChallenge(
  db: Tx,
  {
    challengeHash,
    purpose,
    memberId,
    life,
  }: { challengeHash: string; purpose: ChallengePurpose; memberId: string | null; life: number },
): Promise<void> {
  await db
    .insertInto('passkey_challenge')
    .values({
      challenge_hash: challengeHash,
      purpose,
      member_id: memberId,
      expires_at: fromNow(life),
    })
    .execute()
}

/** Consumes the challenge; false unless it is a valid one of that purpose and member. */
export async function consumeChallenge(
  db: Tx,
  challengeHash: string,
  purpose: ChallengePurpose,
  memberId: string | null,
): Promise<boolean> {
  const row = await db
    .deleteFrom('passkey_challenge')
    .where('challenge_hash', '=', challengeHash)
    .where('purpose', '=', purpose)
    .where('member_id', memberId === null ? 'is' : '=', memberId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('challenge_hash')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteDeadChallenges = (db: Tx) =>
  db
    .deleteFrom('passkey_challenge')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()

export async function deleteChallengesOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('passkey_challenge').where('member_id', '=', memberId).execute()
}
