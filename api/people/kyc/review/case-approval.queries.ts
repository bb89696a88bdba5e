import { sql } from 'kysely'
import { DAY } from '#contract/platform/durations.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { ago } from '../../../platform/db/expressions.ts'
import { sharesWithOwnRejectionOf } from '../fingerprint.queries.ts'
import { hasLostRightSince, listFinanceOfficers } from '../../members/approver.queries.ts'

/** How long a first approval waits for the second, in milliseconds. */
const approvalAge = 30 * DAY

type Settings = Pick<Config, 'isStaffSecondFactorRequired'>
type Voice = 'final' | 'approval' | 'final_lift'

const isStale = (voice: Voice, officers: readonly string[]) => {
  const [by, at] = [
    sql.ref(`kyc_application.${voice}_proposed_by`),
    sql.ref(`kyc_application.${voice}_proposed_at`),
  ]
  return sql<boolean>`(${by} is not null
    and (${by} <> all (${officers}::text[]) or coalesce(${at} < ${ago(approvalAge)}, true) or ${hasLostRightSince(by, at)}
      or ${sharesWithOwnRejectionOf(by, sql.ref('kyc_application.id'))}))`
}

const officerIds = async (db: Tx, settings: Settings) =>
  (await listFinanceOfficers(db, settings)).map(({ id }) => id)

/**
 * Cancels first approvals that have expired or whose officer may no longer decide on the case. A proposed final
 * refusal whose applicant has deleted the application is kept as a record.
 */
export async function cancelExpiredApprovals(db: Tx, settings: Settings, id?: string): Promise<void> {
  const officers = await officerIds(db, settings)
  const final = sql<boolean>`(not is_final and deleted_at is null and ${isStale('final', officers)})`
  const approval = isStale('approval', officers)
  const lift = isStale('final_lift', officers)
  await sql`
    update kyc_application set
      final_proposed_by = case when ${final} then null else final_proposed_by end,
      final_proposed_at = case when ${final} then null else final_proposed_at end,
      final_proposed_reason = case when ${final} then '' else final_proposed_reason end,
      approval_proposed_by = case when ${approval} then null else approval_proposed_by end,
      approval_proposed_at = case when ${approval} then null else approval_proposed_at end,
      final_lift_proposed_by = case when ${lift} then null else final_lift_proposed_by end,
      final_lift_proposed_at = case when ${lift} then null else final_lift_proposed_at end
    where ${id === undefined ? sql`true` : sql`id = ${id}`}
      -- As the index of those few has it.
      and (final_proposed_by is not null or approval_proposed_by is not null or final_lift_proposed_by is not null)
      and (${final} or ${approval} or ${lift})`.execute(db)
}

/** The officer who proposes a final refusal, if the proposal still counts. */
export async function findFinalProposer(db: Tx, settings: Settings, id: string): Promise<string | null> {
  const officers = await officerIds(db, settings)
  const row = await db
    .selectFrom('kyc_application')
    .select('final_proposed_by')
    .where('id', '=', id)
    .where(sql<boolean>`not ${isStale('final', officers)}`)
    .executeTakeFirst()
  return row?.final_proposed_by ?? null
}
