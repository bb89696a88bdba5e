import { sql } from 'kysely'
import type { KycState } from '#contract/people/kyc.ts'
import type { Tx } from '../../platform/db/database.ts'

export type ImportedKycRow = {
  id: string
  member_id: string
  full_name: string
  last_name: string
  country: string
  date_of_birth: string
  email: string
  eth_address: string
  btc_address: string
  event_id: string
  status: KycState
  reason: string
  note: string
  is_final: boolean
  created_at: Date
  updated_at: Date
  decided_at: Date
}

/** Decisions of an earlier site, without documents. Housekeeping creates their fingerprints. */
export async function insertImportedKyc(db: Tx, rows: readonly ImportedKycRow[]): Promise<void> {
  if (rows.length === 0) return
  const written = rows.map((row) => ({
    ...row,
    photo_count: 0,
    fingerprint_version: 0,
  }))
  const columns = sql.join(Object.keys(written[0]!).map((column) => sql.ref(column)))
  await sql`
    insert into kyc_application (${columns})
    select ${columns} from jsonb_populate_recordset(null::kyc_application, ${JSON.stringify(written)}::jsonb)`.execute(
    db,
  )
  const steps = written.map(({ id, status, reason, decided_at }) => ({
    application_id: id,
    from_status: 'submitted',
    to_status: status,
    reason,
    at: decided_at,
  }))
  await sql`
    insert into kyc_step (application_id, from_status, to_status, reason, at)
    select application_id, from_status, to_status, reason, at
    from jsonb_populate_recordset(null::kyc_step, ${JSON.stringify(steps)}::jsonb)`.execute(db)
}

export const listKycWithIds = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('kyc_application')
    .selectAll()
    .where(sql<boolean>`id = any (${ids}::text[])`)
    .execute()
