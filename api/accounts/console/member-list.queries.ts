import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { MemberFilters, MemberRight } from '#contract/console-members.ts'
import { DAY } from '#contract/durations.ts'
import { emailPattern } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { holdsAll, mayHoldAll, readWords, type SearchedWords } from '../../db/read-words.ts'
import { isBeyond, readPage, type Page, type PageOf } from '../../db/read-page.ts'
import { findMemberByEmail, searchedText, type MemberRow } from '../../members/member.queries.ts'

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
  const order = orderOf(filters)
  const fitting = fittingMembers(db, filters)
  const words = (await knownAddress(db, filters.q)) ?? readWords(filters.q)
  const all = joined(db, fitting, filters)
  if (!words) return readPage(all, page, order)
  if ('id' in words) return readPage(all.where('s.id', '=', words.id), page, order)
  const rest = db
    .selectFrom(fitting.as('s'))
    .selectAll()
    .where(isBeyond(page.after, order))
    .orderBy(order.at, order.direction)
    .orderBy('s.id', order.direction)
  const newest = joined(db, rest.limit(newestLookedAt), filters).where(holdsWords(words, true))
  const common = await readPage(newest, page, order)
  if (common.next !== undefined) return common
  const others = await rest.offset(newestLookedAt).limit(1).execute()
  if (others.length === 0) return common
  return readPage(all.where(holdsWords(words, false)), page, order)
}

/** A whole address is that of one member: no part of a longer one is meant. */
async function knownAddress(db: Tx, q: string | undefined): Promise<SearchedWords | undefined> {
  const given = q?.trim().toLowerCase() ?? ''
  return emailPattern.test(given) ? findMemberByEmail(db, given) : undefined
}

function orderOf({ sort = '-joined' }: MemberFilters) {
  const at = sort.endsWith('joined') ? ('s.joined_at' as const) : ('s.last_sign_in_at' as const)
  return { at, id: 's.id', direction: sort.startsWith('-') ? 'desc' : 'asc' } as const
}

const fittingMembers = (db: Tx, filters: MemberFilters) =>
  db
    .selectFrom('member_summary as s')
    .selectAll()
    .where(fits(filters))
    // Keeps the planner from following the sign-ins of everybody until it has met enough of those who joined then.
    .$if(orderOf(filters).at === 's.last_sign_in_at' && isFewDays(filters), (query) => query.offset(0))

const joined = (db: Tx, fitting: ReturnType<typeof fittingMembers>, filters: MemberFilters) =>
  db
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
    .$if(filters.right !== undefined && filters.right !== 'any', (query) =>
      query.where(hasRight(filters.right!)),
    )

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

const text = searchedText('m')

type Words = Extract<SearchedWords, { grams: string[] }>

/** What is common is looked for in the rows that are read, what is rare by the index of words as well. */
function holdsWords(words: Words, isCommon: boolean): RawBuilder<SqlBool> {
  if (isCommon) return holdsAll(text, words)
  const indexed = sql`select id from member_words where ${mayHoldAll(sql`grams`, words)}`
  return sql<SqlBool>`s.id in (${indexed}) and ${holdsAll(text, words)}`
}
