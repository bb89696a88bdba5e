import { sql, type RawBuilder } from 'kysely'
import { hasAnyStaffRight, type Rights } from '#contract/people/level-of.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { hasFactor } from './member.queries.ts'
import { countingRightsOf } from './rights.ts'

export type ApproverRule = Pick<Config, 'isStaffSecondFactorRequired'>

/**
 * The right required for an approval: level 2 of an area. An administrator has level 2 of the news and of accounts, and
 * none of money.
 */
export type ApproverRight = 'finance' | 'coins' | 'news' | 'employee'

const holds = {
  // A literal, as in the index.
  finance: sql<boolean>`manage_finance >= 2`,
  coins: sql<boolean>`manage_coins >= 2`,
  news: sql<boolean>`(manage_news >= 2 or is_write_access_admin)`,
  employee: sql<boolean>`(manage_employee >= 2 or is_write_access_admin)`,
} as const satisfies Record<ApproverRight, unknown>

/** Members whose right to approve is effective: active, with a long password, and with the required factor. */
export const approvers = (db: Tx, { isStaffSecondFactorRequired }: ApproverRule, right: ApproverRight) =>
  db
    .selectFrom('member')
    .where('active', '=', true)
    .where(holds[right])
    .where('password_length_ok_for_staff', '=', true)
    .$if(isStaffSecondFactorRequired, (query) => query.where(hasFactor))

export const listApprovers = (db: Tx, rule: ApproverRule, right: ApproverRight) =>
  approvers(db, rule, right).select(['id', 'email', 'language']).orderBy('id').execute()

export const findApprover = (db: Tx, rule: ApproverRule, right: ApproverRight, memberId: string) =>
  approvers(db, rule, right).select(['id', 'email', 'language']).where('id', '=', memberId).executeTakeFirst()

/** The member with their rights, if those are effective. */
export async function findEffectiveStaff(
  db: Tx,
  { isStaffSecondFactorRequired }: ApproverRule,
  memberId: string,
): Promise<{ memberId: string; email: string; language: Language; rights: Rights } | undefined> {
  const row = await db
    .selectFrom('member')
    .selectAll()
    .where('id', '=', memberId)
    .where('active', '=', true)
    .$if(isStaffSecondFactorRequired, (query) => query.where(hasFactor))
    .executeTakeFirst()
  const rights = row && countingRightsOf(row)
  if (!rights || !hasAnyStaffRight(rights)) return undefined
  return { memberId: row.id, email: row.email, language: row.language, rights }
}

/** Their number, not counting `except`. */
export async function countApprovers(
  db: Tx,
  rule: ApproverRule,
  right: ApproverRight,
  except: string | null = null,
): Promise<number> {
  const { count } = await approvers(db, rule, right)
    .$if(except !== null, (query) => query.where('id', '<>', except!))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Members with effective `finance` 2, and when each last lost that right: earlier approvals by them don't count. */
export const listFinanceOfficers = (db: Tx, rule: ApproverRule) =>
  approvers(db, rule, 'finance')
    .select(['id', 'email', 'language', 'finance_lost_at'])
    .orderBy('id')
    .execute()

/** Whether the author of a proposal has lost the right since, even if they got it back. */
export const hasLostRightSince = (by: RawBuilder<unknown>, at: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from member author where author.id = ${by} and author.finance_lost_at >= ${at})`
