import { sql, type SqlBool } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { staffName } from '../../platform/db/expressions.ts'
import { hasFactor } from './member.queries.ts'

export type ColleagueRule = Pick<Config, 'isStaffSecondFactorRequired'>
/** The level that records of a kind require. */
export type RecordLevel = 'finance' | 'employee'

const holds = {
  finance: sql<SqlBool>`member.manage_finance >= 2`,
  employee: sql<SqlBool>`(member.manage_employee >= 2 or member.is_write_access_admin)`,
} as const satisfies Record<RecordLevel, unknown>

/** Staff with an effective right to act on records of a kind. */
export const colleagues = (db: Tx, { isStaffSecondFactorRequired }: ColleagueRule, level: RecordLevel) =>
  db
    .selectFrom('member_summary')
    .innerJoin('member', 'member.id', 'member_summary.id')
    .select(['member.id', staffName('member').as('name')])
    .where('member_summary.is_staff', '=', sql.lit(true))
    .where('member.active', '=', true)
    .where(holds[level])
    .where('member.password_length_ok_for_staff', '=', true)
    .$if(isStaffSecondFactorRequired, (query) => query.where(hasFactor))

export const colleaguesMax = 200

export const listColleagues = (db: Tx, rule: ColleagueRule, level: RecordLevel) =>
  colleagues(db, rule, level).orderBy('name').limit(colleaguesMax).execute()

export const findColleague = (db: Tx, rule: ColleagueRule, level: RecordLevel, id: string) =>
  colleagues(db, rule, level).where('member.id', '=', id).executeTakeFirst()
