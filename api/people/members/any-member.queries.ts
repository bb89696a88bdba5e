import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { isBeyond, readPage, type Page, type PageOf } from '../../platform/db/read-page.ts'
import { containsAll, mayContainAll, readWords, type SearchedWords } from '../../platform/db/read-words.ts'
import { searchedText, type MemberRow } from './member.queries.ts'

type MemberFilter = {
  email?: string
  displayName?: string
  active?: boolean
  isWriteAccessAdmin?: boolean
  q?: string
}

/**
 * How many of the newest members are searched: frequent words are found among the first, others among more;
 * rare ones by the index of words.
 */
const newestSearched = [1000, 10_000]
const noRows: PageOf<MemberRow> = { rows: [], next: undefined }
const order = { at: 'member.created_at', id: 'member.id' } as const

/** For staff: reaches every member. Without a search, the newest first. */
export async function listAnyMembers(db: Tx, filter: MemberFilter, page: Page): Promise<PageOf<MemberRow>> {
  const { q, displayName } = filter
  const given = [q, displayName].filter((each) => each !== undefined).join(' ')
  if (given === '' || filter.email !== undefined) return readAnyMembers(db, filter, page, {})
  const words = readWords(q)
  if (q && !words) return noRows
  for (const newest of newestSearched) {
    const common = await readAnyMembers(db, filter, page, { words, newest })
    if (common.next !== undefined) return common
    // Too few matches to fill the page with ten times as many rows.
    if (common.rows.length * 10 < page.limit) break
  }
  return readAnyMembers(db, filter, page, { words, found: readWords(given) })
}

type Searched = {
  words?: SearchedWords | null
  newest?: number
  found?: SearchedWords | null
}

function readAnyMembers(db: Tx, filter: MemberFilter, page: Page, { words, newest, found }: Searched) {
  let query = db
    .selectFrom(
      db
        .selectFrom('member')
        .selectAll()
        .where('erased_at', 'is', null)
        .$if(newest !== undefined, (members) =>
          members
            .where(isBeyond(page.after, order))
            .orderBy('member.created_at', 'desc')
            .orderBy('member.id', 'desc')
            .limit(newest!),
        )
        .as('member'),
    )
    .selectAll()
  if (filter.email !== undefined) query = query.where('email', '=', filter.email)
  if (filter.displayName !== undefined) query = query.where('display_name', '=', filter.displayName)
  if (filter.active !== undefined) query = query.where('active', '=', filter.active)
  // The effective right, as in the answer.
  if (filter.isWriteAccessAdmin === true)
    query = query.where(sql<boolean>`is_write_access_admin and password_length_ok_for_staff`)
  if (filter.isWriteAccessAdmin === false)
    query = query.where(sql<boolean>`not (is_write_access_admin and password_length_ok_for_staff)`)
  if (words) query = query.where(isFound(words))
  if (found && 'grams' in found)
    query = query.where(
      sql<boolean>`member.id in (select id from member_words where ${mayContainAll(sql`grams`, found)})`,
    )
  return readPage(query, page, order)
}

const isFound = (words: SearchedWords) =>
  'id' in words
    ? sql<boolean>`member.id = ${words.id}`
    : sql<boolean>`${containsAll(searchedText('member'), words)}`
