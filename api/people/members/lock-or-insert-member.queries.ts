import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Language } from '#contract/platform/fields.ts'
import type { Tx } from '../../platform/db/database.ts'
import { insertOrFindMember, lockMemberByEmail, type MemberRow } from './member.queries.ts'

/**
 * Returns the member of that address, locked, or creates one. For a known address a row is written and rolled
 * back too: a new one is in many indexes, so that skipping it would reveal which addresses are known.
 */
export async function lockOrInsertMember(
  db: Tx,
  email: string,
  language: Language,
): Promise<{ member: MemberRow; isKnown: boolean }> {
  const known = await lockMemberByEmail(db, email)
  await sql`savepoint before_row`.execute(db)
  const inserted = await insertOrFindMember(db, known ? `${randomUUID()}@nobody.invalid` : email, language)
  await (known ? sql`rollback to savepoint before_row` : sql`release savepoint before_row`).execute(db)
  return { member: known ?? inserted, isKnown: known !== undefined }
}
