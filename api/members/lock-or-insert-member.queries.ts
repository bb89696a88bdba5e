import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../db/database.ts'
import { insertOrFindMember, lockMemberByEmail, type MemberRow } from './member.queries.ts'

/**
 * The member of that address, locked, or one made for it. A row is written for a known address as well, and taken back: a new
 * one stands in many indexes, so that leaving it out would show which addresses are known.
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
