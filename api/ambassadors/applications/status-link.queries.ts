import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { fromNow } from '../../db/expressions.ts'

/** Maximum number of valid links per application; the newest remain valid. */
const linksMax = 10

export async function insertStatusLink(
  db: Tx,
  applicationId: string,
  codeHash: string,
  life: number,
): Promise<void> {
  await db
    .insertInto('ambassador_status_link')
    .values({ application_id: applicationId, code_hash: codeHash, expires_at: fromNow(life) })
    .execute()
  await db
    .deleteFrom('ambassador_status_link')
    .where('application_id', '=', applicationId)
    .where('code_hash', 'in', (query) =>
      query
        .selectFrom('ambassador_status_link')
        .select('code_hash')
        .where('application_id', '=', applicationId)
        .orderBy('created_at', 'desc')
        .offset(linksMax),
    )
    .execute()
}

/**
 * Renews the links of an application, because another one came from the same address: earlier links stay valid as long
 * as the new one.
 */
export async function renewStatusLinks(db: Tx, applicationId: string, life: number): Promise<void> {
  await db
    .updateTable('ambassador_status_link')
    .set({ expires_at: fromNow(life) })
    .where('application_id', '=', applicationId)
    .execute()
}

export const findStatusOfLink = (db: Tx, codeHash: string) =>
  db
    .selectFrom('ambassador_status_link')
    .innerJoin('ambassador_application', 'ambassador_application.id', 'application_id')
    .select(['status', 'state_at'])
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

export const deleteDeadStatusLinks = (db: Tx) =>
  db
    .deleteFrom('ambassador_status_link')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
