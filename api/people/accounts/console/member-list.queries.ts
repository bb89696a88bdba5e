import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { MemberFilters, MemberRight } from '#contract/people/console-members.ts'
import { emailPattern } from '#contract/platform/fields.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { containsAll, readWords, termsOf, type SearchedWords } from '../../../platform/db/read-words.ts'
import { endOfUtcDay, staffName, startOfUtcDay } from '../../../platform/db/expressions.ts'
import { narrowed } from '../../../platform/db/read-list.ts'
import { isBeyond, readPage, writeCursor, type Page, type PageOf } from '../../../platform/db/read-page.ts'
import { erasuresWaitingFor } from '../erasure-request.queries.ts'
import type { ApproverRule } from '../../members/approver.queries.ts'
import { findMemberByEmail, searchedText, type MemberRow } from '../../members/member.queries.ts'
import { findSimilarMembers } from './similar-members.queries.ts'

/** How many members a search checks: the next ones of the list, and those that the word index finds. */
const searchBounds = { next: 1000, found: 3000 }

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
  | 'assignee_id'
> & {
  assignee_name: string | null
  joined_at: Date
  last_sign_in_at: Date
  has_factor: boolean
  kyc_state: string | null
}

type Search = { reader: Reader; maySeeWallets: boolean; next: number; found: number }
/** For whom the list is read, and what makes a colleague's approval effective. */
type Reader = { id: string; rule: ApproverRule }

/**
 * Lists one page of matching members. A whole wallet address finds the members whose identity application has it, if the
 * reader can see it there. Frequent words are found among the next members of the list, rarer ones by the
 * word index: in a single query, the planner can't tell how frequent a word is. If the index finds too many members as
 * well, the page ends after the checked ones: it can be short or empty, and another one follows.
 */
export async function listSummaries(
  db: Tx,
  filters: MemberFilters,
  page: Page,
  search: Partial<Search> = {},
): Promise<PageOf<ListedMember>> {
  const { reader, maySeeWallets, ...bounds } = {
    reader: { id: '', rule: { isStaffSecondFactorRequired: true } },
    maySeeWallets: false,
    ...searchBounds,
    ...search,
  }
  const order = orderOf(filters)
  const fitting = fittingMembers(db, reader, filters)
  const among = (ids: readonly string[]) => sql<boolean>`s.id = any(${ids})`
  if (filters.similarTo !== undefined) {
    const similar = await findSimilarMembers(db, filters.similarTo)
    return readPage(joined(db, fitting.where(among(similar)), filters), page, order)
  }
  const words = (await knownAddress(db, filters.q)) ?? readWords(filters.q)
  if (!words) return readPage(joined(db, fitting, filters), page, order)
  if ('id' in words) return readPage(joined(db, fitting.where(among([words.id])), filters), page, order)
  const holders = maySeeWallets ? await findByWallet(db, filters.q ?? '') : []
  if (holders.length > 0) return readPage(joined(db, fitting.where(among(holders)), filters), page, order)

  const next = fitting
    .where(isBeyond(page.after, order))
    .orderBy(order.at, order.direction)
    .orderBy('s.id', order.direction)
  const matching = (rows: typeof fitting) =>
    readPage(joined(db, rows, filters).where(containsAll(text, words)), page, order)
  const found = await matching(next.limit(bounds.next))
  if (found.next !== undefined) return found
  const last = await next
    .offset(bounds.next - 1)
    .limit(1)
    .executeTakeFirst()
  if (!last) return found
  const ids = await findByWords(db, words, bounds.found + 1)
  if (ids.length <= bounds.found) return matching(next.where(among(ids)))
  const at = order.at === 's.joined_at' ? last.joined_at : last.last_sign_in_at
  return { rows: found.rows, next: writeCursor(at, last.id) }
}

/** A whole address identifies one member and does not match longer ones. */
async function knownAddress(db: Tx, q: string | undefined): Promise<SearchedWords | undefined> {
  const given = q?.trim().toLowerCase() ?? ''
  return emailPattern.test(given) ? findMemberByEmail(db, given) : undefined
}

async function findByWallet(db: Tx, q: string): Promise<string[]> {
  const wallet = q.trim()
  if (!/^\w{20,128}$/.test(wallet)) return []
  const rows = await db
    .selectFrom('kyc_application')
    .select('member_id')
    .where((is) =>
      is.or([
        is(sql`lower(eth_address)`, '=', wallet.toLowerCase()),
        is.and([is('btc_address', '!=', ''), is('btc_address', '=', wallet)]),
      ]),
    )
    .limit(searchBounds.found)
    .execute()
  return rows.map(({ member_id }) => member_id)
}

function orderOf({ sort = '-joined' }: MemberFilters) {
  const at = sort.endsWith('joined') ? ('s.joined_at' as const) : ('s.last_sign_in_at' as const)
  return { at, id: 's.id', direction: sort.startsWith('-') ? 'desc' : 'asc' } as const
}

const joined = (db: Tx, fitting: ReturnType<typeof fittingMembers>, filters: MemberFilters) =>
  db
    .selectFrom(fitting.as('s'))
    // Row by row by key: with a plain join, the planner reads all members to check the next 1,000 for a word.
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
      'm.assignee_id',
      's.joined_at',
      's.last_sign_in_at',
      's.has_factor',
      's.kyc_state',
    ])
    .select(
      sql<
        string | null
      >`(select ${staffName('assignee')} from member assignee where assignee.id = m.assignee_id)`.as(
        'assignee_name',
      ),
    )
    .$if(filters.right !== undefined && filters.right !== 'any', (query) =>
      query.where(hasRight(filters.right!)),
    )

const fittingMembers = (db: Tx, reader: Reader, filters: MemberFilters) =>
  narrowed(db.selectFrom('member_summary as s').selectAll(), filters, {
    // Its words are looked up after the other filters.
    q: (rows) => rows,
    similarTo: (rows) => rows,
    active: (rows, active) =>
      rows.where(active === 'yes' ? sql<SqlBool>`s.is_active` : sql<SqlBool>`not s.is_active`),
    // Which right it is, the member's own row says.
    right: (rows) => rows.where(sql<SqlBool>`s.is_staff`),
    kyc: (rows, kyc) => rows.where('s.kyc_state', '=', kyc),
    factor: (rows, factor) =>
      rows.where(factor === 'yes' ? sql<SqlBool>`s.has_factor` : sql<SqlBool>`not s.has_factor`),
    // Few members are assigned, so they are read by the index of assignees.
    assignee: (rows, assignee) =>
      assignee === 'me'
        ? rows.where(sql<SqlBool>`s.id in (select id from member where assignee_id = ${reader.id})`)
        : rows.where(sql<SqlBool>`s.id not in (select id from member where assignee_id is not null)`),
    waitingFor: (rows) =>
      rows.where(
        's.id',
        'in',
        erasuresWaitingFor(db, reader.rule, reader.id).select('erasure_request.member_id'),
      ),
    from: (rows, from) => rows.where('s.joined_at', '>=', startOfUtcDay(from)),
    to: (rows, to) => rows.where('s.joined_at', '<', endOfUtcDay(to)),
  })

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
