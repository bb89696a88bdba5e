import { sql, type SqlBool } from 'kysely'
import type { listApiTokens } from '#contract/api-tokens.ts'
import { tokenWarningDays } from '#contract/api-tokens.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { Tx } from '../db/database.ts'
import { literalInLike } from '../db/literal-in-like.ts'
import { readPage, type Page } from '../db/read-page.ts'
import { staffName } from '../db/staff-name.ts'

type Filters = Omit<InputOf<typeof listApiTokens>['query'], 'limit' | 'after'>

const hasRight = sql`(m.password_length_ok_for_staff and (m.is_write_access_admin
  or m.manage_news + m.manage_employee + m.manage_finance + m.manage_coins > 0))`

const state = sql<'active' | 'ending' | 'expired' | 'revoked' | 'dead'>`case
  when t.revoked_at is not null then 'revoked'
  when t.expires_at <= now() then 'expired'
  when not m.active or not ${hasRight} then 'dead'
  when t.expires_at - ${sql.lit(tokenWarningDays)} * interval '1 day' <= now() then 'ending'
  else 'active' end`

const shownTokens = (db: Tx) =>
  db
    .selectFrom('api_token as t')
    .innerJoin('member as m', 'm.id', 't.member_id')
    .leftJoin('member as r', 'r.id', 't.revoked_by')
    .selectAll('t')
    .select(['m.active', 'm.password_length_ok_for_staff', 'm.is_write_access_admin'])
    .select(['m.manage_news', 'm.manage_employee', 'm.manage_finance', 'm.manage_coins'])
    .select([state.as('state'), staffName('m').as('maker_name'), staffName('r').as('revoker_name')])
    .select(
      sql<Date | null>`case when t.previous_until > now() and t.revoked_at is null then t.previous_until end`.as(
        'overlap_until',
      ),
    )

export type ShownTokenRow = Awaited<ReturnType<typeof getShownToken>>

const shownToken = (db: Tx, id: string) => shownTokens(db).where('t.id', '=', id)

export const findShownToken = (db: Tx, id: string) => shownToken(db, id).executeTakeFirst()
export const getShownToken = (db: Tx, id: string) => shownToken(db, id).executeTakeFirstOrThrow()

/** `seesOthers`: administrators. */
export function listTokens(
  db: Tx,
  reader: { memberId: string; seesOthers: boolean },
  { state: wanted, level, q, whose, sort = '-created' }: Filters,
  page: Page,
) {
  const isOwn = sql<SqlBool>`t.member_id = ${reader.memberId}`
  const query = shownTokens(db)
    .$if(!reader.seesOthers || whose === 'mine', (query) => query.where(isOwn))
    .$if(whose === 'others', (query) => query.where(sql<SqlBool>`not (${isOwn})`))
    .$if(wanted !== undefined, (query) => query.where(sql<SqlBool>`${state} = ${wanted}`))
    .$if(level !== undefined, (query) => query.where(`t.${level!}`, '>', 0))
    .$if(q !== undefined && q !== '', (query) => query.where(isAbout(q!)))
  return readPage(query, page, {
    at: sort.endsWith('expires') ? 't.expires_at' : 't.created_at',
    id: 't.id',
    direction: sort.startsWith('-') ? 'desc' : 'asc',
  })
}

const isAbout = (q: string) =>
  sql<SqlBool>`lower(t.name || ' ' || t.purpose || ' ' || m.email || ' ' || m.display_name)
    like ${`%${literalInLike(q.toLowerCase())}%`}`

export const listTokensOfMember = (db: Tx, memberId: string, page: Page) =>
  readPage(shownTokens(db).where('t.member_id', '=', memberId), page, { at: 't.created_at', id: 't.id' })
