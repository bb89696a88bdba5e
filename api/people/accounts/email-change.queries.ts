import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { ago, fromNow, selectStaffNameWithAddress } from '../../platform/db/expressions.ts'

/**
 * How long the owner of the current address can stop a change by staff before it takes effect, in milliseconds. The
 * same as for account recovery.
 */
export const emailChangeWait = DAY

/** The pending change that the member or staff started. */
export const findEmailChange = (db: Tx, memberId: string) =>
  db
    .selectFrom('email_change')
    .leftJoin('member as opener', 'opener.id', 'email_change.opened_by')
    .select(['new_email', 'code_hash', 'proved_code_hash', 'opened_by'])
    .select(['email_change.created_at', 'email_change.expires_at'])
    .select(selectStaffNameWithAddress('opener').as('opener'))
    .where('email_change.member_id', '=', memberId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

export type EmailChange = NonNullable<Awaited<ReturnType<typeof findEmailChange>>>

/** The address that the member must confirm with a code. */
export async function findPendingEmail(db: Tx, memberId: string): Promise<string | undefined> {
  const change = await findEmailChange(db, memberId)
  return change?.opened_by === null ? change.new_email : undefined
}

export async function holdEmailChange(
  db: Tx,
  change: {
    memberId: string
    newEmail: string
    codeHash: string
    life: number
    /** The staff member, if staff start it. */
    openedBy?: string
  },
): Promise<void> {
  const { memberId, newEmail, codeHash, life, openedBy = null } = change
  const held = {
    new_email: newEmail,
    code_hash: codeHash,
    proved_code_hash: null,
    opened_by: openedBy,
    expires_at: fromNow(life),
  }
  await db
    .insertInto('email_change')
    .values({ member_id: memberId, ...held })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet({ ...held, created_at: sql`now()` }))
    .execute()
}

/** Ends a change that the member started, and returns the new address. Undefined if the code is not valid. */
export async function consumeEmailChange(
  db: Tx,
  memberId: string,
  codeHash: string,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('email_change')
    .where('member_id', '=', memberId)
    .where('code_hash', '=', codeHash)
    .where('opened_by', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('new_email')
    .executeTakeFirst()
  return row?.new_email
}

/** Records that the owner of the new address confirmed a change by staff. False if the code is not valid. */
export async function markNewEmailProved(db: Tx, memberId: string, codeHash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('email_change')
    .set({ proved_code_hash: codeHash })
    .where('member_id', '=', memberId)
    .where('code_hash', '=', codeHash)
    .where('opened_by', 'is not', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Confirmed changes by staff that the owner of the current address did not stop in time. */
const dueOnes = (db: Tx) =>
  db
    .selectFrom('email_change')
    .innerJoin('member', 'member.id', 'email_change.member_id')
    .select(['member_id', 'new_email'])
    .where('opened_by', 'is not', null)
    .whereRef('proved_code_hash', '=', 'code_hash')
    .where('email_change.created_at', '<=', ago(emailChangeWait))
    .where('expires_at', '>', sql<Date>`now()`)
    .where('member.active', '=', true)

export const findDueEmailChange = (db: Tx, memberId: string) =>
  dueOnes(db).where('member_id', '=', memberId).executeTakeFirst()

export const listDueEmailChanges = (db: Tx) => dueOnes(db).limit(200).execute()

export async function cancelEmailChange(db: Tx, memberId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('email_change')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const deleteDeadEmailChanges = (db: Tx) =>
  db
    .deleteFrom('email_change')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
