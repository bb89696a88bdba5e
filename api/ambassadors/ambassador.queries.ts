import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'

export type NewAmbassadorApplication = {
  email: string
  fullName: string
  city: string
  country: string
  socialMedia: string[]
  description: string
}

/** Another application from the same address replaces an earlier one that is still pending. */
export async function insertOrReplacePending(db: Tx, application: NewAmbassadorApplication): Promise<void> {
  const columns = {
    full_name: application.fullName,
    city: application.city,
    country: application.country,
    social_media: JSON.stringify(application.socialMedia),
    description: application.description,
  }
  await db
    .insertInto('ambassador_application')
    .values({ email: application.email, ...columns })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .where('status', '=', 'received')
        .doUpdateSet({ ...columns, updated_at: sql`now()` }),
    )
    .execute()
}

export const findAmbassadorApplicationsByEmail = (db: Tx, email: string) =>
  db
    .selectFrom('ambassador_application')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .execute()

export async function deleteAmbassadorApplicationsByEmail(db: Tx, email: string): Promise<void> {
  await db.deleteFrom('ambassador_application').where('email', '=', email).execute()
}
