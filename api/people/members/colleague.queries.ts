import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { staffName } from '../../platform/db/expressions.ts'
import { hasFactor } from './member.queries.ts'

export type ColleagueRule = Pick<Config, 'isStaffSecondFactorRequired'>
/** The level that records of a kind require. */
export type RecordLevel = 'finance' | 'employee'

const holds: Record<RecordLevel, (atLeast: 1 | 2) => RawBuilder<SqlBool>> = {
  finance: (atLeast) => sql`member.manage_finance >= ${sql.lit(atLeast)}`,
  employee: (atLeast) => sql`(member.manage_employee >= ${sql.lit(atLeast)} or member.is_write_access_admin)`,
}

/** Staff with an effective right to act on records of a kind or, with `atLeast` 1, to read them. */
export const colleagues = (
  db: Tx,
  { isStaffSecondFactorRequired }: ColleagueRule,
  level: RecordLevel,
  atLeast: 1 | 2 = 2,
) =>
  db
    .selectFrom('member_summary')
    .innerJoin('member', 'member.id', 'member_summary.id')
    .select(['member.id', staffName('member').as('name')])
    .where('member_summary.is_staff', '=', sql.lit(true))
    .where('member.active', '=', true)
    .where(holds[level](atLeast))
    .where('member.password_length_ok_for_staff', '=', true)
    .$if(isStaffSecondFactorRequired, (query) => query.where(hasFactor))

export const colleaguesMax = 200

export const listColleagues = (db: Tx, rule: ColleagueRule, level: RecordLevel) =>
  colleagues(db, rule, level).orderBy('name').limit(colleaguesMax).execute()

export const findColleague = (db: Tx, rule: ColleagueRule, level: RecordLevel, id: string) =>
  colleagues(db, rule, level).where('member.id', '=', id).executeTakeFirst()
