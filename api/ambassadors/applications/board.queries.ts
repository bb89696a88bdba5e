import { sql, type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { ApplicationFilters } from '#contract/console-ambassadors.ts'
import type { Tx } from '../../db/database.ts'
import { narrowed } from '../../db/read-list.ts'
import { isBeyond, readPage, type Page, type PageOf } from '../../db/read-page.ts'
import { containsAll, mayContainAll, readWords, type SearchedWords } from '../../db/read-words.ts'
import type { AmbassadorApplication, DB } from '../../db/rows.ts'
import { staffName } from '../../db/expressions.ts'
import { isOpenApplication } from './application.queries.ts'

type ApplicationRow = Selectable<AmbassadorApplication>
type Chosen = SelectQueryBuilder<DB, 'ambassador_application', ApplicationRow>

/** More than a page. Frequent words are found among this many applications. */
const firstSearched = 1000

/** Written exactly as in the word index. */
const searched = sql`lower(ambassador_application.full_name || ' ' || ambassador_application.email
  || ' ' || ambassador_application.city || ' ' || ambassador_application.country)`

const standsIn = (words: SearchedWords): RawBuilder<SqlBool> =>
  'id' in words ? sql`ambassador_application.id = ${words.id}` : containsAll(searched, words)

const isFound = (words: SearchedWords): RawBuilder<SqlBool> =>
  'id' in words
    ? standsIn(words)
    : sql`${mayContainAll(sql`member_grams(${searched})`, words)} and ${containsAll(searched, words)}`

/**
 * Whether the mailbox is the reader’s own, under any spelling of its address: applicants must not decide on their own
 * application.
 */
export const isOwnApplicationOf = (readerId: string): RawBuilder<boolean> =>
  sql<boolean>`email_alias(ambassador_application.email) = (select email_alias(m.email) from member m where m.id = ${readerId})`

const orderOf = ({ sort = '-arrived' }: ApplicationFilters) => {
  const at = sort.endsWith('changed') ? 'state_at' : 'created_at'
  return {
    at: `ambassador_application.${at}`,
    id: 'ambassador_application.id',
    direction: sort.startsWith('-') ? 'desc' : 'asc',
  } as const
}

const choose = (db: Tx, readerId: string, filters: ApplicationFilters): Chosen =>
  narrowed(
    db
      .selectFrom('ambassador_application')
      .selectAll()
      .where(sql<SqlBool>`not ${isOwnApplicationOf(readerId)}`),
    filters,
    {
      // The search words are applied after the other filters.
      q: (rows) => rows,
      status: (rows, status) =>
        status === 'open'
          ? rows.where(isOpenApplication)
          : rows.where('ambassador_application.status', '=', status),
      country: (rows, country) => rows.where('ambassador_application.country_key', '=', country),
      sentIn: (rows, sentIn) => rows.where('ambassador_application.language', '=', sentIn),
      assignee: (rows, assignee) =>
        assignee === 'me'
          ? rows.where('ambassador_application.assignee_id', '=', readerId)
          : rows.where('ambassador_application.assignee_id', 'is', null),
    },
  )

const shown = (db: Tx, chosen: Chosen) =>
  db
    .selectFrom(chosen.as('ambassador_application'))
    .leftJoin('member as assignee', 'assignee.id', 'ambassador_application.assignee_id')
    .selectAll('ambassador_application')
    .select(staffName('assignee').as('assignee_name'))
    .select(['assignee.display_name as assignee_display_name', 'assignee.email as assignee_email'])

export type ShownRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]

const noRows: PageOf<ShownRow> = { rows: [], next: undefined }

/**
 * Lists applications in index order. Frequent words are found by reading the first applications, rarer ones by the word
 * index.
 */
export async function listApplications(
  db: Tx,
  readerId: string,
  filters: ApplicationFilters,
  page: Page,
): Promise<PageOf<ShownRow>> {
  const order = orderOf(filters)
  const chosen = choose(db, readerId, filters)
    .where(isBeyond(page.after, order))
    .orderBy(sql.ref(order.at), order.direction)
    .orderBy(sql.ref(order.id), order.direction)
  const read = (query: Chosen) => readPage(shown(db, query.limit(firstSearched)), page, order)
  if (!filters.q) return read(chosen)
  const words = readWords(filters.q)
  if (!words) return noRows
  const common = await readPage(shown(db, chosen.limit(firstSearched)).where(standsIn(words)), page, order)
  if (common.next !== undefined) return common
  const others = await chosen.offset(firstSearched).limit(1).execute()
  return others.length === 0 ? common : read(chosen.where(isFound(words)))
}

/** Counts applications, up to a maximum beyond which the number no longer matters. */
export async function countApplications(
  db: Tx,
  readerId: string,
  filters: ApplicationFilters,
  max: number,
): Promise<number> {
  const words = readWords(filters.q)
  if (filters.q && !words) return 0
  const counted = choose(db, readerId, filters)
    .$if(words !== null, (query) => query.where(isFound(words!)))
    .limit(max)
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from (${counted}) counted`.execute(db)
  return rows[0]!.count
}

const countriesMax = 300

/** Skips from one country to the next through the index, however many applications each has. */
export async function listCountryKeys(db: Tx, readerId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with recursive keys as (
      (select country_key as key from ambassador_application where country_key is not null order by 1 limit 1)
      union all
      select (select country_key from ambassador_application where country_key > keys.key order by 1 limit 1)
      from keys where keys.key is not null)
    select key from (select key from keys where key is not null limit ${countriesMax}) found where exists (
      select from ambassador_application where country_key = found.key and not ${isOwnApplicationOf(readerId)})
    order by key`.execute(db)
  return rows.map(({ key }) => key)
}

export const findApplication = (db: Tx, id: string, readerId: string) =>
  db
    .selectFrom('ambassador_application')
    .leftJoin('member as assignee', 'assignee.id', 'ambassador_application.assignee_id')
    .leftJoin('member as sender', 'sender.email', 'ambassador_application.email')
    .selectAll('ambassador_application')
    .select([staffName('assignee').as('assignee_name'), 'sender.id as sender_id'])
    .select(isOwnApplicationOf(readerId).as('is_own'))
    .select(
      sql<boolean>`exists (select from ambassador a where a.id = ambassador_application.ambassador_id and a.member_id is not null)`.as(
        'has_joined',
      ),
    )
    .where('ambassador_application.id', '=', id)
    .executeTakeFirst()

/** Locks several applications always in the same order, so that two staff members can't deadlock. */
export const lockApplications = (db: Tx, ids: readonly string[], readerId: string) =>
  db
    .selectFrom('ambassador_application')
    .selectAll('ambassador_application')
    .select(isOwnApplicationOf(readerId).as('is_own'))
    .where('ambassador_application.id', 'in', ids)
    .orderBy('ambassador_application.id')
    .forUpdate()
    .execute()

export type LockedApplication = Awaited<ReturnType<typeof lockApplications>>[number]
