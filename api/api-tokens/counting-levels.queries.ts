import { sql, type RawBuilder } from 'kysely'
import { levels, type Level } from '#contract/endpoint.ts'
import type { LevelValue } from '#contract/members.ts'
import type { Config } from '../config.ts'
import { hasFactor } from '../members/member.queries.ts'

export type StaffRule = Pick<Config, 'isStaffSecondFactorRequired'>

/** The owner's levels, as in `levelOf`. */
const ofMaker: Readonly<Record<Level, RawBuilder<number>>> = {
  news: sql`case when member.is_write_access_admin then 2 else member.manage_news end`,
  employee: sql`case when member.is_write_access_admin then 2 else member.manage_employee end`,
  finance: sql`member.manage_finance`,
  coins: sql`member.manage_coins`,
}

const makerCounts = ({ isStaffSecondFactorRequired: needsFactor }: StaffRule) =>
  sql<boolean>`(member.active and member.password_length_ok_for_staff and (${hasFactor} or not ${sql.lit(needsFactor)}))`

/** The effective part of a level of the token `t` of `member`: no more than its owner has now, by any right. */
const countingLevel = (level: Level, rule: StaffRule) =>
  sql<LevelValue>`(case when ${makerCounts(rule)} then least(${sql.ref(`t.${level}`)}, ${ofMaker[level]}) else 0 end)`

export const countingLevels = (rule: StaffRule) => [
  countingLevel('news', rule).as('counting_news'),
  countingLevel('employee', rule).as('counting_employee'),
  countingLevel('finance', rule).as('counting_finance'),
  countingLevel('coins', rule).as('counting_coins'),
]

/** Whether it is not accepted, though it has neither expired nor been revoked. */
export const isDead = (rule: StaffRule) =>
  sql<boolean>`(greatest(${sql.join(levels.map((level) => countingLevel(level, rule)))}) = 0)`
