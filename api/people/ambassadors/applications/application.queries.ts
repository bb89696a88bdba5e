import { sql, type Insertable, type SqlBool, type Updateable } from 'kysely'
import type { AmbassadorState } from '#contract/people/ambassadors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { AmbassadorApplication, AmbassadorStep } from '../../../platform/db/rows.ts'
import { ago, fromNow, staffName } from '../../../platform/db/expressions.ts'

export const isOpen = (status: AmbassadorState): boolean => status === 'received' || status === 'in_review'

/** Written exactly as in the partial index. */
export const isOpenApplication = sql<SqlBool>`ambassador_application.status in ('received', 'in_review')`

/**
 * Whether the mailbox is the reader’s own, under any spelling of its address: applicants must not decide on their own
 * application.
 */
export const isOwnApplicationOf = (readerId: string) =>
  sql<boolean>`email_alias(ambassador_application.email) = (select email_alias(m.email) from member m where m.id = ${readerId})`

/** Later than any previous change, so that two changes are never mistaken for one. */
const nextChange = sql<Date>`greatest(date_trunc('milliseconds', clock_timestamp()),
  ambassador_application.updated_at + interval '1 millisecond')`

/** Inserts an application. It replaces a pending one from the same address. */
export async function insertOrReplacePending(
  db: Tx,
  { email, ...columns }: Insertable<AmbassadorApplication>,
): Promise<string> {
  const { id } = await db
    .insertInto('ambassador_application')
    .values({ email, ...columns })
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

/** Locks several applications always in the same order, so that two staff members can't deadlock. */
export const lockApplications = (db: Tx, ids: readonly string[], readerId: string) =>
  db
    .selectFrom('ambassador_application')
    .selectAll('ambassador_application')
    .select(isOwnApplicationOf(readerId).as('is_own'))
    .where('ambassador_application.id', 'in', ids)
    .orderBy('ambassador_application.id')
    .forUpdate()
    .execute()

export type LockedApplication = Awaited<ReturnType<typeof lockApplications>>[number]

/** Changes an application and records when its new status began. */
export const changeApplication = (db: Tx, id: string, change: Updateable<AmbassadorApplication>) =>
  db
    .updateTable('ambassador_application')
    .set({ ...change, ...(change.status && { state_at: sql`now()` }), updated_at: nextChange })
    .where('id', '=', id)
    .execute()

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

export const deleteApplicationsOf = (db: Tx, memberId: string) =>
  db.deleteFrom('ambassador_application').where(isSentBy(memberId)).execute()

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
export const findOpenInvitation = (db: Tx, id: string) =>
  db
    .selectFrom('ambassador_application')
    .innerJoin('ambassador', 'ambassador.id', 'ambassador_application.ambassador_id')
    .select('ambassador.id')
    .where('ambassador_application.id', '=', id)
    .where('ambassador.member_id', 'is', null)
    .executeTakeFirst()

export const moveApplications = (db: Tx, from: string, to: string) =>
  db
    .updateTable('ambassador_application')
    .set({ ambassador_id: to })
    .where('ambassador_id', '=', from)
    .execute()

export const deleteApplicationsOfAmbassador = (db: Tx, ambassadorId: string) =>
  db.deleteFrom('ambassador_application').where('ambassador_id', '=', ambassadorId).execute()

export const releaseApplicationsOf = (db: Tx, memberId: string) =>
  db
    .updateTable('ambassador_application')
    .set({ assignee_id: null })
    .where('assignee_id', '=', memberId)
    .execute()

/** Whether an application was sent from the address, or an ambassador has it. */
export async function isAddressKnown(db: Tx, email: string): Promise<boolean> {
  const { rows } = await sql<{ is_known: boolean }>`
    select exists (select from ambassador_application p where p.email = ${email})
      or exists (select from ambassador a join member m on m.id = a.member_id where m.email = ${email}) as is_known`.execute(
    db,
  )
  return rows[0]!.is_known
}

export const deleteApplication = (db: Tx, id: string) =>
  db.deleteFrom('ambassador_application').where('id', '=', id).execute()

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

export const keyCountry = (db: Tx, id: string, key: string) =>
  db.updateTable('ambassador_application').set({ country_key: key }).where('id', '=', id).execute()

export const insertStep = (db: Tx, step: Insertable<AmbassadorStep>) =>
  db.insertInto('ambassador_step').values(step).execute()

/** Lists steps, newest first. */
export const listSteps = (db: Tx, applicationId: string, limit: number) =>
  db
    .selectFrom('ambassador_step')
    .leftJoin('member as actor', (join) =>
      join.onRef('actor.id', '=', 'by_member_id').on('actor.erased_at', 'is', null),
    )
    .leftJoin('member as receiver', (join) =>
      join.onRef('receiver.id', '=', 'to_member_id').on('receiver.erased_at', 'is', null),
    )
    .select(['ambassador_step.id', 'kind', 'at'])
    .select([staffName('actor').as('by'), staffName('receiver').as('to')])
    .where('application_id', '=', applicationId)
    .orderBy('ambassador_step.id', 'desc')
    .limit(limit)
    .execute()

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

/** Earlier links stay valid as long as the one of another application from the same address. */
export const renewStatusLinks = (db: Tx, applicationId: string, life: number) =>
  db
    .updateTable('ambassador_status_link')
    .set({ expires_at: fromNow(life) })
    .where('application_id', '=', applicationId)
    .execute()

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
