import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'

export async function findAntiPhishingPhrase(
  db: Tx,
  keys: Keys,
  memberId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('member_phrase')
    .select('sealed_phrase')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row && keys.open('phrase', memberId, row.sealed_phrase)
}

export async function hasAntiPhishingPhrase(db: Tx, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('member_phrase')
    .select('member_id')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The phrases of the members with these verified addresses. An unconfirmed address, of a change or a sign-up,
 * belongs to nobody yet and has none.
 */
export async function findAntiPhishingPhrasesOf(
  db: Tx,
  keys: Keys,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('member_phrase')
    .innerJoin('member', 'member.id', 'member_phrase.member_id')
    .select(['member.id', 'member.email', 'sealed_phrase'])
    .where(sql<boolean>`member.email = any (${addresses}::text[])`)
    .execute()
  return new Map(rows.map(({ id, email, sealed_phrase }) => [email, keys.open('phrase', id, sealed_phrase)]))
}

export async function storeAntiPhishingPhrase(
  db: Tx,
  keys: Keys,
  memberId: string,
  phrase: string,
): Promise<void> {
  const sealed_phrase = keys.seal('phrase', memberId, phrase)
  await db
    .insertInto('member_phrase')
    .values({ member_id: memberId, sealed_phrase })
    .onConflict((conflict) =>
      conflict.column('member_id').doUpdateSet({ sealed_phrase, updated_at: sql`now()` }),
    )
    .execute()
}

export async function deleteAntiPhishingPhrase(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('member_phrase').where('member_id', '=', memberId).execute()
}
