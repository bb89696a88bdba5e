import { sql, type Selectable } from 'kysely'
import { transaction, type Database, type Tx } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/rows.ts'

/** Hash kinds of imported members, as part of the statement that reads the data for a sign-in. */
export const importedKinds = sql<string[]>`array(select kind from imported_password_kind order by kind)`

/** Each is computed at every sign-in. */
export const importedKindsMax = 3

export async function listImportedKinds(db: Tx): Promise<string[]> {
  const rows = await db.selectFrom('imported_password_kind').select('kind').execute()
  return rows.map(({ kind }) => kind)
}

/** In the transaction in which members get such hashes. */
export async function recordImportedKinds(db: Tx, kinds: readonly string[]): Promise<void> {
  if (kinds.length === 0) return
  await db
    .insertInto('imported_password_kind')
    .values(kinds.map((kind) => ({ kind })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Held until the end of the transaction: one import at a time, which may wait for another one. */
export async function lockImports(db: Tx): Promise<void> {
  await sql`set local statement_timeout = '600s'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtextextended('imports', 0))`.execute(db)
}

/** Under the lock, so that nobody concurrently imports another member with one of them. */
export const deleteUnusedKinds = (db: Database): Promise<void> =>
  transaction(db, async (db) => {
    await lockImports(db)
    await sql`
      delete from imported_password_kind where not exists (
        select from member
        where password_hash like 'imported:%' and split_part(password_hash, ':', 2) = kind)`.execute(db)
  })

/** Rows are written as given: values are timestamps, constants, or checked by the caller. */
export type ImportedMemberRow = Omit<
  Selectable<DB['member']>,
  | 'activated_with_hash'
  | 'address_proved_at'
  | 'activated_at'
  | 'closed_at'
  | 'created_at'
  | 'updated_at'
  | 'default_merchant_id'
  | 'erased_at'
  | 'finance_lost_at'
  | 'invitation_code'
  | 'opens_console'
  | 'assignee_id'
  | 'password_length_ok_for_staff'
> & {
  address_proved_at: Date | null
  activated_at: Date
  closed_at: Date | null
  created_at: Date
  updated_at: Date
}

/** Includes what triggers would write at the commit, so that the commit is short. */
export async function insertImportedMembers(db: Tx, rows: readonly ImportedMemberRow[]): Promise<void> {
  if (rows.length === 0) return
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)))
  await sql`
    insert into member (${columns})
    select ${columns} from jsonb_populate_recordset(null::member, ${JSON.stringify(rows)}::jsonb)`.execute(db)
  await sql`set constraints member_summarised, member_words_noted_first immediate`.execute(db)
  await sql`set constraints member_summarised, member_words_noted_first deferred`.execute(db)
}

export const listMembersWithIds = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('member')
    .selectAll()
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute()

/** Members that are not erased, locked against erasure until the end of the transaction. */
export const holdMembersWithIds = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('member')
    .select('id')
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .where('erased_at', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute()

/** The members with these addresses. */
export const listMembersWithEmails = (db: Tx, emails: readonly string[]) =>
  db
    .selectFrom('member')
    .select(['id', 'email'])
    .where(sql<boolean>`email = any (${emails}::text[])`)
    .execute()
