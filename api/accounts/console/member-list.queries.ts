import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { MemberFilters, MemberRight } from '#contract/console-members.ts'
import { DAY } from '#contract/durations.ts'
import { emailPattern } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { holdsAll, readWords, termsOf, type SearchedWords } from '../../db/read-words.ts'
import { isBeyond, readPage, writeCursor, type Page, type PageOf } from '../../db/read-page.ts'
import { findMemberByEmail, searchedText, type MemberRow } from '../../members/member.queries.ts'

/**
 * What often stands in the `first` next members of the list is found there, what is rarer by the index of words. Of more than
 * so many `candidates` it cannot tell who fits the filters: then so many members `atMost` are looked at for a page.
 */
const searchBounds = { first: 1000, candidates: 3000, atMost: 3000 }
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
 * `member_summary`, or by the words through what they have in common. Where the words have too many candidates and hardly
 * any of them fits the filters, a page ends where enough members were looked at: it may be short or empty, and another follows.
 */
export async function listSummaries(
  db: Tx,
  filters: MemberFilters,
  page: Page,
  bounds = searchBounds,
): Promise<PageOf<ListedMember>> {
  const order = orderOf(filters)
  const fitting = fittingMembers(db, filters, page)
  const words = (await knownAddress(db, filters.q)) ?? readWords(filters.q)
  const all = joined(db, fitting, filters)
  if (!words) return readPage(all, page, order)
  if ('id' in words) return readPage(all.where('s.id', '=', words.id), page, order)
  const next = await lookAt(bounds.first)
  if (next.isWhole) return next.found
  const ids = await findByWords(db, words, bounds.candidates + 1)
  if (ids.length > bounds.candidates) return (await lookAt(bounds.atMost)).found
  const candidates = joined(db, fittingMembers(db, filters, page, ids), filters)
  return readPage(candidates.where(holdsAll(text, words)), page, order)

  /** Those that hold the words among the next members of the list. `isWhole`: the page is full, or nobody else is left. */
  async function lookAt(count: number): Promise<{ found: PageOf<ListedMember>; isWhole: boolean }> {
    const rest = fitting
      .where(isBeyond(page.after, order))
      .orderBy(order.at, order.direction)
      .orderBy('s.id', order.direction)
    const looked = joined(db, rest.limit(count), filters).where(holdsAll(text, words as Words))
    const found = await readPage(looked, page, order)
    if (found.next !== undefined) return { found, isWhole: true }
    const [last, other] = await rest
      .offset(count - 1)
      .limit(2)
      .execute()
    if (!last || !other) return { found, isWhole: true }
    const at = order.at === 's.joined_at' ? last.joined_at : last.last_sign_in_at
    return { found: { rows: found.rows, next: writeCursor(at, last.id) }, isWhole: false }
  }
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

function fittingMembers(db: Tx, filters: MemberFilters, page: Page, ids?: readonly string[]) {
  const fitting = db
    .selectFrom(leading(db, filters, page, ids).as('s'))
    .selectAll()
    .where(fits(filters))
  // Keeps the planner from following the sign-ins of everybody until it has met enough of those who joined then.
  return orderOf(filters).at === 's.last_sign_in_at' && isFewDays(filters)
    ? db.selectFrom(fitting.offset(0).as('s')).selectAll()
    : fitting
}

/**
 * Whom the other conditions are tried on. Candidates, and the few of most states of an identity, are read alone and in the order of the
 * list: the planner takes conditions for independent of each other, and follows a longer way where they are not.
 */
function leading(db: Tx, filters: MemberFilters, page: Page, ids: readonly string[] | undefined) {
  const order = orderOf(filters)
  const { kyc, from, to, active, factor, right } = filters
  const everybody = db.selectFrom('member_summary as s').selectAll()
  const ordered = everybody.orderBy(order.at, order.direction).orderBy('s.id', order.direction)
  if (ids) return ordered.where(sql<boolean>`s.id = any(${ids})`).offset(0)
  if (!kyc || kyc === 'approved' || !(active || factor || right)) return everybody
  const ofState = fits(order.at === 's.joined_at' ? { kyc, from, to } : { kyc })
  return ordered.where(ofState).where(isBeyond(page.after, order)).offset(0)
}

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

async function findByWords(db: Tx, words: Words, atMost: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from members_with_words(${termsOf(words)}, ${atMost}) id`.execute(db)
  return rows.map(({ id }) => id)
}
