import { sql, type SqlBool } from 'kysely'
import { apiTokens, tokenWarningDays } from '#contract/api-tokens.ts'
import type { FiltersOf } from '#contract/resource.ts'
import type { Tx } from '../db/database.ts'
import { literalInLike } from '../db/literal-in-like.ts'
import { readList } from '../db/read-list.ts'
import { readPage, type Page } from '../db/read-page.ts'
import { staffName } from '../db/staff-name.ts'
import type { MemberContext } from '../http/handler.ts'
import { countingLevels, isDead, type StaffRule } from './counting-levels.queries.ts'

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
    .select(['t.secret_end as end', 't.previous_used_at as former_used_at'])
    .select(countingLevels(rule))
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

export type ShownTokenRow = NonNullable<Awaited<ReturnType<typeof findShownToken>>>

export const findShownToken = (db: Tx, rule: StaffRule, id: string) =>
  shownTokens(db, rule).where('t.id', '=', id).executeTakeFirst()

/** Those of others are for administrators. */
export function listTokens(
  { db, config, caller }: Pick<MemberContext, 'db' | 'config' | 'caller'>,
  filters: FiltersOf<typeof apiTokens>,
  page: Page,
) {
  const isOwn = sql<SqlBool>`t.member_id = ${caller.memberId}`
  return readList(
    apiTokens,
    {
      rows: shownTokens(db, config).$if(!caller.rights.isWriteAccessAdmin, (rows) => rows.where(isOwn)),
      where: {
        state: (rows, state) => rows.where(sql<SqlBool>`${stateBy(config)} = ${state}`),
        level: (rows, level) => rows.where(`t.${level}`, '>', 0),
        q: (rows, q) => rows.where(isAbout(q)),
        whose: (rows, whose) => rows.where(whose === 'mine' ? isOwn : sql<SqlBool>`not (${isOwn})`),
      },
      sortBy: { created: 't.created_at', expires: 't.expires_at' },
      id: 't.id',
    },
    filters,
    page,
  )
}

const isAbout = (q: string) =>
  sql<SqlBool>`lower(t.name || ' ' || t.purpose || ' ' || member.email || ' ' || member.display_name)
    like ${`%${literalInLike(q.toLowerCase())}%`}`

export const listTokensOfMember = (db: Tx, rule: StaffRule, memberId: string, page: Page) =>
  readPage(shownTokens(db, rule).where('t.member_id', '=', memberId), page, {
    at: 't.created_at',
    id: 't.id',
  })
