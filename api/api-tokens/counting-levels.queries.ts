import { sql, type RawBuilder } from 'kysely'
import { levels, type Level } from '#contract/endpoint.ts'
import type { Config } from '../config.ts'
import { hasFactor } from '../members/member.queries.ts'

export type StaffRule = Pick<Config, 'isStaffSecondFactorRequired'>

/** Those of the maker, as `levelOf` says it. */
const ofMaker: Readonly<Record<Level, RawBuilder<number>>> = {
  news: sql`case when member.is_write_access_admin then 2 else member.manage_news end`,
  employee: sql`case when member.is_write_access_admin then 2 else member.manage_employee end`,
  finance: sql`member.manage_finance`,
  coins: sql`member.manage_coins`,
}

const makerCounts = ({ isStaffSecondFactorRequired: needsFactor }: StaffRule) =>
  sql<boolean>`(member.active and member.password_length_ok_for_staff and (${hasFactor} or not ${sql.lit(needsFactor)}))`

/** What counts of a level of the token `t` of `member` now, as each call is told by `countingLevels` and by what staff must have. */
export const countingLevel = (level: Level, rule: StaffRule) =>
  sql<number>`(case when ${makerCounts(rule)} then least(${sql.ref(`t.${level}`)}, ${ofMaker[level]}) else 0 end)`

/** Whether nothing accepts it, though it has neither ended nor been revoked. */
export const isDead = (rule: StaffRule) =>
  sql<boolean>`(greatest(${sql.join(levels.map((level) => countingLevel(level, rule)))}) = 0)`
