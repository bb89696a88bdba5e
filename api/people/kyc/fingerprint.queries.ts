import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { ago } from '../../platform/db/expressions.ts'
import type { Fingerprint } from './fingerprints.ts'
import type { KycRow } from './kyc.queries.ts'

/** Fingerprints of earlier submissions are kept, because submitted data still identifies the applicant. */
export async function insertFingerprints(
  db: Tx,
  applicationId: string,
  fingerprints: readonly Fingerprint[],
): Promise<void> {
  if (fingerprints.length === 0) return
  await db
    .insertInto('kyc_fingerprint')
    .values(fingerprints.map(({ kind, hash }) => ({ application_id: applicationId, kind, hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteFingerprints(db: Tx, applicationId: string): Promise<void> {
  await db.deleteFrom('kyc_fingerprint').where('application_id', '=', applicationId).execute()
}

/**
 * Readable applications whose fingerprints are missing or made by earlier rules. Locked, because their data may
 * be deleted meanwhile.
 */
export const listFingerprintsToMake = (db: Tx, version: number, limit: number) =>
  db
    .selectFrom('kyc_application')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('full_name', '<>', '')
    .where('fingerprint_version', '<', version)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()

export async function markFingerprinted(db: Tx, id: string, version: number): Promise<void> {
  await db.updateTable('kyc_application').set({ fingerprint_version: version }).where('id', '=', id).execute()
}

/** An email address without the parts that mail services ignore, as in the column `email_alias`. */
export async function findEmailAlias(db: Tx, email: string): Promise<string> {
  const { rows } = await sql<{ alias: string }>`select email_alias(${email}) as alias`.execute(db)
  return rows[0]!.alias
}

/** Fingerprints of applications that were deleted, or whose members were erased, longer ago than `age`. */
export async function deleteFingerprintsPast(db: Tx, age: number): Promise<void> {
  await sql`
    delete from kyc_fingerprint where application_id in (
      select a.id from member m join kyc_application a on a.member_id = m.id where m.erased_at < ${ago(age)}
      union all
      select id from kyc_application where deleted_at < ${ago(age)} and not is_final)`.execute(db)
}

export type EarlierRejection = {
  application_id: string
  id: string
  member_id: string
  is_final: boolean
  /** Whether two officers decided it. */
  took_two: boolean
  at: Date
  /** Who decided or proposed it. */
  deciders: string[]
  kinds: Fingerprint['kind'][]
  /** One of both has no date of birth, so the name alone can't distinguish two people. */
  lacks_birth: boolean
}

const hasBirth = (id: ReturnType<typeof sql.ref>) => sql<boolean>`exists (
  select from kyc_fingerprint born where born.application_id = ${id} and born.kind = 'nameAndBirth')`

/** Like `isWorthShowing`: whether an application shares strong evidence with a final refusal of the member's own. */
export const sharesWithOwnRejectionOf = (
  memberId: RawBuilder<unknown>,
  applicationId: RawBuilder<unknown>,
) => sql<boolean>`exists (
  select from kyc_application mine
  join kyc_fingerprint own on own.application_id = mine.id
  join kyc_fingerprint theirs on theirs.hash = own.hash and theirs.kind = own.kind
  where mine.member_id = ${memberId} and theirs.application_id = ${applicationId} and mine.id <> theirs.application_id
    and (mine.is_final or (mine.final_proposed_by is not null and mine.deleted_at is not null))
    and (own.kind <> 'name' or not ${hasBirth(sql.ref('mine.id'))} or not ${hasBirth(sql.ref('theirs.application_id'))}))`

export async function sharesWithOwnRejection(
  db: Tx,
  memberId: string,
  applicationId: string,
): Promise<boolean> {
  const shares = sharesWithOwnRejectionOf(sql`${memberId}::text`, sql`${applicationId}::text`)
  const { rows } = await sql<{ shares: boolean }>`select ${shares} as shares`.execute(db)
  return rows[0]!.shares
}

/** Includes proposals, once their applicant has deleted the application. */
export const isRefused = sql<boolean>`(other.is_final
  or (other.final_proposed_by is not null and other.deleted_at is not null))`

/**
 * Cases of other members that share a fingerprint with this one. Locked, because they may be decided meanwhile.
 */
export async function lockSharing(db: Tx, { id, member_id }: KycRow): Promise<KycRow[]> {
  return db
    .selectFrom('kyc_application')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where('member_id', '<>', member_id)
    .where(
      sql<boolean>`kyc_application.id in (select own.application_id
        from kyc_fingerprint own join kyc_fingerprint theirs on theirs.hash = own.hash and theirs.kind = own.kind
        where theirs.application_id = ${id})`,
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Final refusals that share a fingerprint with these applications, including proposals whose applicants deleted
 * them.
 */
export async function listEarlierRejections(db: Tx, ids: readonly string[]): Promise<EarlierRejection[]> {
  const { rows } = await sql<EarlierRejection>`
    select own.application_id, other.id, other.member_id, other.is_final,
      other.is_final and other.final_proposed_by is not null as took_two,
      coalesce(case when other.is_final then other.decided_at end, other.final_proposed_at, other.updated_at) as at,
      array_remove(array[other.final_proposed_by, case when other.is_final then other.decided_by end], null) as deciders,
      not ${hasBirth(sql.ref('own.application_id'))} or not ${hasBirth(sql.ref('other.id'))} as lacks_birth,
      (select array_agg(kind order by kind) from unnest(array_agg(distinct own.kind)) kind
        -- The name and the date of birth say more than the name.
        where kind <> 'name' or 'nameAndBirth' <> all (array_agg(distinct own.kind))) as kinds
    from kyc_fingerprint own
    join kyc_fingerprint theirs on theirs.hash = own.hash and theirs.kind = own.kind
    join kyc_application other on other.id = theirs.application_id
    where own.application_id = any(${ids}) and other.id <> own.application_id
      and ${isRefused}
    group by own.application_id, other.id
    order by at desc`.execute(db)
  return rows
}
