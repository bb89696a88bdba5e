import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { MemberFilters, MemberRight } from '#contract/console-members.ts'
import { DAY } from '#contract/durations.ts'
import { emailPattern } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { containsAll, readWords, termsOf, type SearchedWords } from '../../db/read-words.ts'
import { narrowed } from '../../db/read-list.ts'
import { isBeyond, readPage, writeCursor, type Page, type PageOf } from '../../db/read-page.ts'
import { findMemberByEmail, searchedText, type MemberRow } from '../../members/member.queries.ts'

/**
 * Frequent words are found among the `first` next members of the list, rarer ones by the index of words. With
 * more than `candidates` matches the index can't tell who passes the filters: then at most `atMost` members are
 * checked per page.
 */
const searchBounds = { first: 1000, candidates: 3000, atMost: 3000 }
/** A period short enough that its members can be sorted again by their sign-ins. */
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
 * One page of matching members. Every query uses an index: in list order through `member_summary`, or by words
 * through their terms. If the words have too many candidates and hardly any passes the filters, a page ends
 * after enough members were checked: it may be short or empty, and another one follows.
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
  return readPage(candidates.where(containsAll(text, words)), page, order)

  /** Matches among the next members of the list. `isWhole`: the page is full, or there are no more members. */
  async function lookAt(count: number): Promise<{ found: PageOf<ListedMember>; isWhole: boolean }> {
    const rest = fitting
      .where(isBeyond(page.after, order))
      .orderBy(order.at, order.direction)
      .orderBy('s.id', order.direction)
    const looked = joined(db, rest.limit(count), filters).where(containsAll(text, words as Words))
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

/** A whole address identifies one member and does not match longer ones. */
async function knownAddress(db: Tx, q: string | undefined): Promise<SearchedWords | undefined> {
  const given = q?.trim().toLowerCase() ?? ''
  return emailPattern.test(given) ? findMemberByEmail(db, given) : undefined
}

function orderOf({ sort = '-joined' }: MemberFilters) {
  const at = sort.endsWith('joined') ? ('s.joined_at' as const) : ('s.last_sign_in_at' as const)
  return { at, id: 's.id', direction: sort.startsWith('-') ? 'desc' : 'asc' } as const
}

function fittingMembers(db: Tx, filters: MemberFilters, page: Page, ids?: readonly string[]) {
  const fitting = narrowedSummaries(
    db.selectFrom(leading(db, filters, page, ids).as('s')).selectAll(),
    filters,
  )
  // Keeps the planner from scanning everyone's sign-ins until it has found enough members of that period.
  return orderOf(filters).at === 's.last_sign_in_at' && isFewDays(filters)
    ? db.selectFrom(fitting.offset(0).as('s')).selectAll()
    : fitting
}

/**
 * The rows to which the other conditions are applied. Candidates, and the few members in most identity states,
 * are read alone and in list order: the planner assumes that conditions are independent, and would choose a
 * slower plan.
 */
function leading(db: Tx, filters: MemberFilters, page: Page, ids: readonly string[] | undefined) {
  const order = orderOf(filters)
  const { kyc, from, to, active, factor, right } = filters
  const everybody = summaries(db)
  const ordered = everybody.orderBy(order.at, order.direction).orderBy('s.id', order.direction)
  if (ids) return ordered.where(sql<boolean>`s.id = any(${ids})`).offset(0)
  if (!kyc || kyc === 'approved' || !(active || factor || right)) return everybody
  const ofState = narrowedSummaries(ordered, order.at === 's.joined_at' ? { kyc, from, to } : { kyc })
  return ofState.where(isBeyond(page.after, order)).offset(0)
}

const joined = (db: Tx, fitting: ReturnType<typeof fittingMembers>, filters: MemberFilters) =>
  db
    .selectFrom(fitting.as('s'))
    // Row by row by key: with a plain join, the planner would read all members instead of a thousand.
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

const summaries = (db: Tx) => db.selectFrom('member_summary as s').selectAll()

const narrowedSummaries = (rows: ReturnType<typeof summaries>, filters: MemberFilters) =>
  narrowed(rows, filters, {
    // Its words are looked up after the other filters.
    q: (rows) => rows,
    active: (rows, active) =>
      rows.where(active === 'yes' ? sql<SqlBool>`s.is_active` : sql<SqlBool>`not s.is_active`),
    // Which right it is, the member's own row says.
    right: (rows) => rows.where(sql<SqlBool>`s.is_staff`),
    kyc: (rows, kyc) => rows.where('s.kyc_state', '=', kyc),
    factor: (rows, factor) =>
      rows.where(factor === 'yes' ? sql<SqlBool>`s.has_factor` : sql<SqlBool>`not s.has_factor`),
    from: (rows, from) => rows.where('s.joined_at', '>=', startOf(from)),
    to: (rows, to) => rows.where('s.joined_at', '<', new Date(startOf(to).getTime() + DAY)),
  })

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
