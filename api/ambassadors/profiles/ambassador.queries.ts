import { sql } from 'kysely'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'

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
    .select(sql<string | null>`coalesce(member.email, ambassador.email)`.as('address'))

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
    .set({ since: sql<Date>`now()`, ended_at: null, hidden_at: null })
    .where('id', '=', id)
    .execute()
}

/** The caller erases the member whom it belongs to; what they wrote goes with it. */
export async function deleteAmbassadorOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('ambassador').where('member_id', '=', memberId).execute()
}
