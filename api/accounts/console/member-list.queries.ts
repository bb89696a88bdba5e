import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { MemberFilters, MemberRight } from '#contract/console-members.ts'
import { DAY } from '#contract/durations.ts'
import { emailPattern } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { isBeyond, readPage, type Page, type PageOf } from '../../db/read-page.ts'
import { findMemberByEmail, type MemberRow } from '../../members/member.queries.ts'
import { readWords, type MemberWords } from './member-words.ts'

/** What often stands in the newest members is found there; what is rarer is found by the index of words. */
const newestLookedAt = 1000
/** So few days hold few enough members to be ordered anew by their sign-ins. */
const fewDays = 92 * DAY

export type ListedMember = Pick<
  MemberRow,
  | 'id'
  | 'email'
  | 'display_name'
  | 'first_name'
  | 'last_name'
  | 'active'
  | 'closed_at'
  | 'is_write_access_admin'
  | 'manage_news'
  | 'manage_employee'
  | 'manage_finance'
  | 'manage_coins'
  | 'password_length_ok_for_staff'
  | 'address_proved_at'
> & { joined_at: Date; last_sign_in_at: Date; has_factor: boolean; kyc_state: string | null }

/**
 * One page of the members that fit. Whatever is asked for, an index leads to it: in the order of the list through
 * `member_summary`, or by the words through what they have in common.
 */
export async function listSummaries(
  db: Tx,
  filters: MemberFilters,
  page: Page,
): Promise<PageOf<ListedMember>> {
  const words = (await knownAddress(db, filters.q)) ?? readWords(filters.q)
  if (!words) return readSummaries(db, filters, page)
  const common = await readSummaries(db, filters, page, { words, isCommon: true })
  if (common.rows.length === page.limit && common.next !== undefined) return common
  return readSummaries(db, filters, page, { words, isCommon: false })
}

/** A whole address is that of one member: no part of a longer one is meant. */
async function knownAddress(db: Tx, q: string | undefined): Promise<MemberWords | undefined> {
  const given = q?.trim().toLowerCase() ?? ''
  return emailPattern.test(given) ? findMemberByEmail(db, given) : undefined
}

type Searched = { words: MemberWords; isCommon: boolean }

function readSummaries(
  db: Tx,
  filters: MemberFilters,
  page: Page,
  searched?: Searched,
): Promise<PageOf<ListedMember>> {
  const { sort = '-joined' } = filters
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const at = sort.endsWith('joined') ? ('s.joined_at' as const) : ('s.last_sign_in_at' as const)
  const fitting = db
    .selectFrom('member_summary as s')
    .selectAll()
    .where(fits(filters))
    .$if(searched?.isCommon === true, (query) =>
      query
        .where(isBeyond(page.after, { at, id: 's.id', direction }))
        .orderBy(at, direction)
        .orderBy('s.id', direction)
        .limit(newestLookedAt),
    )
    // Keeps the planner from following the sign-ins of everybody until it has met enough of those who joined then.
    .$if(at === 's.last_sign_in_at' && isFewDays(filters), (query) => query.offset(0))
  const query = db
    .selectFrom(fitting.as('s'))
    // Row by row, by its key: joined freely, the planner would rather read all members than a thousand of them.
    .innerJoinLateral(
      (own) => own.selectFrom('member').selectAll().whereRef('member.id', '=', 's.id').limit(1).as('m'),
      (join) => join.onTrue(),
    )
    .select([
      'm.id',
      'm.email',
      'm.display_name',
      'm.first_name',
      'm.last_name',
      'm.active',
      'm.closed_at',
      'm.is_write_access_admin',
      'm.manage_news',
      'm.manage_employee',
      'm.manage_finance',
      'm.manage_coins',
      'm.password_length_ok_for_staff',
      'm.address_proved_at',
      's.joined_at',
      's.last_sign_in_at',
      's.has_factor',
      's.kyc_state',
    ])
    .$if(filters.right !== undefined && filters.right !== 'any', (joined) =>
      joined.where(hasRight(filters.right!)),
    )
    .$if(searched !== undefined, (joined) => joined.where(holdsWords(searched!)))
  return readPage(query, page, { at, id: 's.id', direction })
}

const fits = ({ active, right, kyc, factor, from, to }: MemberFilters): RawBuilder<SqlBool> => {
  const conditions = [
    ...(active ? [active === 'yes' ? sql`s.is_active` : sql`not s.is_active`] : []),
    ...(right ? [sql`s.is_staff`] : []),
    ...(kyc ? [sql`s.kyc_state = ${kyc}`] : []),
    ...(factor ? [factor === 'yes' ? sql`s.has_factor` : sql`not s.has_factor`] : []),
    ...(from ? [sql`s.joined_at >= ${startOf(from)}`] : []),
    ...(to ? [sql`s.joined_at < ${new Date(startOf(to).getTime() + DAY)}`] : []),
  ]
  return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`
}

const isFewDays = ({ from, to }: MemberFilters): boolean =>
  from !== undefined && (to ? startOf(to).getTime() : Date.now()) - startOf(from).getTime() <= fewDays

const startOf = (day: string) => new Date(`${day}T00:00:00Z`)

const columnOf = {
  news: 'm.manage_news',
  employee: 'm.manage_employee',
  finance: 'm.manage_finance',
  coins: 'm.manage_coins',
} as const

const hasRight = (right: Exclude<MemberRight, 'any'> | 'any'): RawBuilder<SqlBool> =>
  right === 'admin' || right === 'any' ? sql`m.is_write_access_admin` : sql`${sql.ref(columnOf[right])} > 0`

const text = sql`lower(m.email || ' ' || m.display_name || ' ' || m.first_name || ' ' || m.last_name)`

function holdsWords({ words, isCommon }: Searched): RawBuilder<SqlBool> {
  if ('id' in words) return sql`s.id = ${words.id}`
  const conditions = words.parts.map((part) =>
    part.isBeginning ? sql`${text} ~ ${`(^|[^a-z0-9])${part.text}`}` : sql`${text} like lower(${part.text})`,
  )
  const grams = words.grams.map((gram) => sql`lower(${gram})`)
  const isIndexed = sql`s.id in (
    select id from member_words where grams @> array[${sql.join(grams)}]::text[])`
  return sql<SqlBool>`${sql.join(isCommon ? conditions : [isIndexed, ...conditions], sql` and `)}`
}
