import type { Consent, consentPlaces } from '#contract/people/consents.ts'
import type { Tx } from '../../platform/db/database.ts'
import { erasedMembers } from '../members/member.queries.ts'

export type ConsentPlace = (typeof consentPlaces)[number]

/** Inserts consents, dated now unless `at` is given. */
export async function insertConsents(
  db: Tx,
  memberId: string,
  consents: readonly Consent[],
  given: { place: ConsentPlace; client: string; at?: Date },
): Promise<void> {
  if (consents.length === 0) return
  await db
    .insertInto('consent')
    .values(consents.map(({ document, version }) => ({ member_id: memberId, document, version, ...given })))
    .execute()
}

export const listConsentsOfMember = (db: Tx, memberId: string) =>
  db.selectFrom('consent').selectAll().where('member_id', '=', memberId).orderBy('id').execute()

export async function deleteConsentsOfMember(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('consent').where('member_id', '=', memberId).execute()
}

/** Deletes retained consents whose members were erased more than `age` milliseconds ago. */
export async function deleteConsentsOfErased(db: Tx, age: number): Promise<void> {
  await db.deleteFrom('consent').where('member_id', 'in', erasedMembers(db, age)).execute()
}
