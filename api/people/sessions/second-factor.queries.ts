import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

export const findTotp = (db: Tx, memberId: string) =>
  db.selectFrom('totp').selectAll().where('member_id', '=', memberId).executeTakeFirst()

export async function hasConfirmedTotp(db: Tx, memberId: string): Promise<boolean> {
  const row = await findTotp(db, memberId)
  return row !== undefined && row.confirmed_at !== null
}

/** A new secret replaces an unconfirmed one; a confirmed one stays, and the result is false. */
export async function insertTotp(db: Tx, memberId: string, sealedSecret: Buffer): Promise<boolean> {
  const row = await db
    .insertInto('totp')
    .values({ member_id: memberId, sealed_secret: sealedSecret })
    .onConflict((conflict) =>
      conflict
        .column('member_id')
        .doUpdateSet({ sealed_secret: sealedSecret, last_step: 0, created_at: sql`now()` })
        .where('totp.confirmed_at', 'is', null),
    )
    .returning('member_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Marks the step as used; false if it or a later one was already used. */
export async function consumeTotpStep(db: Tx, memberId: string, step: number): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('member_id', '=', memberId)
    .where('last_step', '<', String(step))
    .returning('member_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Confirms the secret: from now on it is a factor. */
export async function confirmTotpOfMember(db: Tx, memberId: string): Promise<void> {
  await db
    .updateTable('totp')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .execute()
}

export async function deleteTotp(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('totp').where('member_id', '=', memberId).execute()
}

/** Returns the number of unused codes. */
export async function countRecoveryCodes(db: Tx, memberId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_code')
    .select((select) => select.fn.countAll().as('count'))
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function replaceRecoveryCodes(
  db: Tx,
  memberId: string,
  codeHashes: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(db, memberId)
  await db
    .insertInto('recovery_code')
    .values(codeHashes.map((hash) => ({ member_id: memberId, code_hash: hash })))
    .execute()
}

export async function deleteRecoveryCodes(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('recovery_code').where('member_id', '=', memberId).execute()
}

export async function consumeRecoveryCode(db: Tx, memberId: string, codeHash: string): Promise<boolean> {
  const row = await db
    .updateTable('recovery_code')
    .set({ used_at: sql<Date>`now()` })
    .where('member_id', '=', memberId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returning('member_id')
    .executeTakeFirst()
  return row !== undefined
}
