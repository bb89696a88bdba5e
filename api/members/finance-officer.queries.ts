import type { Tx } from '../db/database.ts'
import { listApprovers, type ApproverRule } from './approver.queries.ts'

/** The members with `finance` 2 whose rights count. */
export const listFinanceOfficers = (db: Tx, rule: ApproverRule) => listApprovers(db, rule, 'finance')
