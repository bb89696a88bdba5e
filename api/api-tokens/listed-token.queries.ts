import { sql, type SqlBool } from 'kysely'
import type { listApiTokens } from '#contract/api-tokens.ts'
import { tokenWarningDays } from '#contract/api-tokens.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { Tx } from '../db/database.ts'
import { literalInLike } from '../db/literal-in-like.ts'
import { readPage, type Page } from '../db/read-page.ts'
import { staffName } from '../db/staff-name.ts'
import { countingLevel, isDead, type StaffRule } from './counting-levels.queries.ts'

type Filters = Omit<InputOf<typeof listApiTokens>['query'], 'limit' | 'after'>

const stateBy = (rule: StaffRule) => sql<'active' | 'ending' | 'expired' | 'revoked' | 'dead'>`case
  when t.revoked_at is not null then 'revoked'
  when t.expires_at <= now() then 'expired'
  when ${isDead(rule)} then 'dead'
  when t.expires_at - ${sql.lit(tokenWarningDays)} * interval '1 day' <= now() then 'ending'
  else 'active' end`

const shownTokens = (db: Tx, rule: StaffRule) =>
  db
    .selectFrom('api_token as t')
    .innerJoin('member', 'member.id', 't.member_id')
    .leftJoin('member as r', 'r.id', 't.revoked_by')
    .selectAll('t')
    .select([
      countingLevel('news', rule).as('counting_news'),
      countingLevel('employee', rule).as('counting_employee'),
      countingLevel('finance', rule).as('counting_finance'),
      countingLevel('coins', rule).as('counting_coins'),
    ])
    .select([
      stateBy(rule).as('state'),
      staffName('member').as('maker_name'),
      staffName('r').as('revoker_name'),
    ])
    .select(
      sql<Date | null>`case when t.previous_until > now() and t.revoked_at is null then t.previous_until end`.as(
        'overlap_until',
      ),
    )

export type ShownTokenRow = Awaited<ReturnType<typeof getShownToken>>

const shownToken = (db: Tx, rule: StaffRule, id: string) => shownTokens(db, rule).where('t.id', '=', id)

export const findShownToken = (db: Tx, rule: StaffRule, id: string) =>
  shownToken(db, rule, id).executeTakeFirst()
export const getShownToken = (db: Tx, rule: StaffRule, id: string) =>
  shownToken(db, rule, id).executeTakeFirstOrThrow()

/** `seesOthers`: administrators. */
export function listTokens(
  db: Tx,
  rule: StaffRule,
  reader: { memberId: string; seesOthers: boolean },
  { state: wanted, level, q, whose, sort = '-created' }: Filters,
  page: Page,
) {
  const isOwn = sql<SqlBool>`t.member_id = ${reader.memberId}`
  const query = shownTokens(db, rule)
    .$if(!reader.seesOthers || whose === 'mine', (query) => query.where(isOwn))
    .$if(whose === 'others', (query) => query.where(sql<SqlBool>`not (${isOwn})`))
    .$if(wanted !== undefined, (query) => query.where(sql<SqlBool>`${stateBy(rule)} = ${wanted}`))
    .$if(level !== undefined, (query) => query.where(`t.${level!}`, '>', 0))
    .$if(q !== undefined && q !== '', (query) => query.where(isAbout(q!)))
  return readPage(query, page, {
    at: sort.endsWith('expires') ? 't.expires_at' : 't.created_at',
    id: 't.id',
    direction: sort.startsWith('-') ? 'desc' : 'asc',
  })
}

const isAbout = (q: string) =>
  sql<SqlBool>`lower(t.name || ' ' || t.purpose || ' ' || member.email || ' ' || member.display_name)
    like ${`%${literalInLike(q.toLowerCase())}%`}`

export const listTokensOfMember = (db: Tx, rule: StaffRule, memberId: string, page: Page) =>
  readPage(shownTokens(db, rule).where('t.member_id', '=', memberId), page, {
    at: 't.created_at',
    id: 't.id',
  })
