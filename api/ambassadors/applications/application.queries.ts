import { sql, type SqlBool } from 'kysely'
import type { Language } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { ago } from '../../db/expressions.ts'

type NewAmbassadorApplication = {
  email: string
  fullName: string
  city: string
  country: string
  countryKey: string
  socialMedia: string[]
  description: string
  language: Language
}

/** Written exactly as in the partial index. */
export const isOpenApplication = sql<SqlBool>`ambassador_application.status in ('received', 'in_review')`

/** Later than any previous change, so that two changes are never mistaken for one. */
export const nextChange = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()),
  ambassador_application.updated_at + interval '1 millisecond')`

/** Inserts an application. It replaces a pending one from the same address. */
export async function insertOrReplacePending(db: Tx, application: NewAmbassadorApplication): Promise<string> {
  const columns = {
    full_name: application.fullName,
    city: application.city,
    country: application.country,
    country_key: application.countryKey,
    social_media: JSON.stringify(application.socialMedia),
    description: application.description,
    language: application.language,
  }
  const { id } = await db
    .insertInto('ambassador_application')
    .values({ email: application.email, ...columns })
    .onConflict((conflict) =>
      conflict
        .column('email')
        // Written exactly as in the index: a plan for any value could not use it.
        .where(sql<boolean>`status = 'received'`)
        .doUpdateSet({
          ...columns,
          state_at: sql`now()`,
          sent_again_at: sql`now()`,
          updated_at: nextChange,
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Matches applications sent from the member’s mailbox, or that made them an ambassador, whatever their address is now.
 * An unverified account may belong to a stranger who signed up with someone else’s address.
 */
const isSentBy = (memberId: string) => sql<SqlBool>`(
  ambassador_application.email = (select m.email from member m where m.id = ${memberId} and m.address_proved_at is not null)
  or ambassador_application.ambassador_id = any (array(select a.id from ambassador a where a.member_id = ${memberId})))`

export const findApplicationsOf = (db: Tx, memberId: string) =>
  db
    .selectFrom('ambassador_application')
    .selectAll()
    .where(isSentBy(memberId))
    .orderBy('created_at', 'desc')
    .execute()

export async function deleteApplicationsOf(db: Tx, memberId: string): Promise<void> {
  await db.deleteFrom('ambassador_application').where(isSentBy(memberId)).execute()
}

/** Links an application to an ambassador. False if it is already linked to one. */
export async function linkApplication(db: Tx, id: string, ambassadorId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('ambassador_application')
    .set({ ambassador_id: ambassadorId })
    .where('id', '=', id)
    .where('ambassador_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the invitation that resulted from the application and has not been accepted. */
export async function findOpenInvitation(db: Tx, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('ambassador_application')
    .innerJoin('ambassador', 'ambassador.id', 'ambassador_application.ambassador_id')
    .select('ambassador.id')
    .where('ambassador_application.id', '=', id)
    .where('ambassador.member_id', 'is', null)
    .executeTakeFirst()
  return row?.id
}

export async function moveApplications(db: Tx, from: string, to: string): Promise<void> {
  await db
    .updateTable('ambassador_application')
    .set({ ambassador_id: to })
    .where('ambassador_id', '=', from)
    .execute()
}

export async function deleteApplicationsOfAmbassador(db: Tx, ambassadorId: string): Promise<void> {
  await db.deleteFrom('ambassador_application').where('ambassador_id', '=', ambassadorId).execute()
}

/** Unassigns the applications of this member. */
export async function releaseApplicationsOf(db: Tx, memberId: string): Promise<void> {
  await db
    .updateTable('ambassador_application')
    .set({ assignee_id: null })
    .where('assignee_id', '=', memberId)
    .execute()
}

/** Whether an application was sent from the address, or an ambassador has it. */
export async function isAddressKnown(db: Tx, email: string): Promise<boolean> {
  const { rows } = await sql<{ is_known: boolean }>`
    select exists (select from ambassador_application p where p.email = ${email})
      or exists (select from ambassador a join member m on m.id = a.member_id where m.email = ${email}) as is_known`.execute(
    db,
  )
  return rows[0]!.is_known
}

export async function deleteApplication(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('ambassador_application').where('id', '=', id).execute()
}

export const deleteDeclinedApplications = (db: Tx, age: number) =>
  db
    .deleteFrom('ambassador_application')
    .where('status', '=', 'declined')
    .where('state_at', '<', ago(age))
    .executeTakeFirst()

/**
 * Locks open applications whose status has not changed for `age` milliseconds. Concurrent instances get different ones.
 */
export const lockUnanswered = (db: Tx, age: number, limit: number) =>
  db
    .selectFrom('ambassador_application')
    .select(['id', 'email', 'language'])
    .where(isOpenApplication)
    .where('state_at', '<', ago(age))
    .orderBy('state_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

const keyedAtOnce = 500

/** Lists applications from older releases, which did not store a country key. */
export const listUnkeyedCountries = (db: Tx) =>
  db
    .selectFrom('ambassador_application')
    .select(['id', 'country'])
    .where('country_key', 'is', null)
    .limit(keyedAtOnce)
    .execute()

export async function keyCountry(db: Tx, id: string, key: string): Promise<void> {
  await db.updateTable('ambassador_application').set({ country_key: key }).where('id', '=', id).execute()
}
