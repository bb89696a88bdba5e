import { sql, type SqlBool } from 'kysely'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import { staffName } from '../../db/expressions.ts'
import { hasFactor } from '../../members/member.queries.ts'

type Demand = Pick<Config, 'isStaffSecondFactorRequired'>

const colleaguesMax = 200

/** Staff with an active right to act on applications. */
const colleagues = (db: Tx, { isStaffSecondFactorRequired }: Demand) =>
  db
    .selectFrom('member_summary')
    .innerJoin('member', 'member.id', 'member_summary.id')
    .select(['member.id', staffName('member').as('name')])
    .where('member_summary.is_staff', '=', sql.lit(true))
    .where('member.active', '=', true)
    .where(sql<SqlBool>`(member.manage_employee >= 2 or member.is_write_access_admin)`)
    .where('member.password_length_ok_for_staff', '=', true)
    .$if(isStaffSecondFactorRequired, (query) => query.where(hasFactor))

export const listColleagues = (db: Tx, demand: Demand) =>
  colleagues(db, demand).orderBy('name').limit(colleaguesMax).execute()

/** Returns a colleague, unless the application is their own. */
export const findColleague = (db: Tx, demand: Demand, id: string, applicationId: string) =>
  colleagues(db, demand)
    .where('member.id', '=', id)
    .where(
      sql<SqlBool>`email_alias(member.email) <> (select email_alias(a.email) from ambassador_application a where a.id = ${applicationId})`,
    )
    .executeTakeFirst()
