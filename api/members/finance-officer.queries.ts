import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/database.ts'
import { approvers, type ApproverRule } from './approver.queries.ts'

/** Members with effective `finance` 2, and when each last lost that right: earlier approvals by them don't count. */
export const listFinanceOfficers = (db: Tx, rule: ApproverRule) =>
  approvers(db, rule, 'finance')
    .select(['id', 'email', 'language', 'finance_lost_at'])
    .orderBy('id')
    .execute()

/** Whether the author of a proposal has lost the right since, even if they got it back. */
export const hasLostRightSince = (by: RawBuilder<unknown>, at: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from member author where author.id = ${by} and author.finance_lost_at >= ${at})`
