import { sql, type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { ApplicationFilters, DuplicateApplication } from '#contract/people/console-ambassadors.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { narrowed } from '../../../platform/db/read-list.ts'
import { readPage, type Page, type PageOf } from '../../../platform/db/read-page.ts'
import { containsAll, mayContainAll, readWords, type SearchedWords } from '../../../platform/db/read-words.ts'
import type { AmbassadorApplication, DB } from '../../../platform/db/rows.ts'
import { staffName } from '../../../platform/db/expressions.ts'
import { colleagues, type ColleagueRule } from '../../members/colleague.queries.ts'
import { isOpenApplication, isOwnApplicationOf } from './application.queries.ts'

type ApplicationRow = Selectable<AmbassadorApplication>
type Chosen = SelectQueryBuilder<DB, 'ambassador_application', ApplicationRow>

/** Written exactly as in the word index. */
const searched = sql`lower(ambassador_application.full_name || ' ' || ambassador_application.email
  || ' ' || ambassador_application.city || ' ' || ambassador_application.country)`

const isFound = (words: SearchedWords): RawBuilder<SqlBool> =>
  'id' in words
    ? sql`ambassador_application.id = ${words.id}`
    : sql`${mayContainAll(sql`member_grams(${searched})`, words)} and ${containsAll(searched, words)}`

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
      q: (rows, q) => {
        const words = readWords(q)
        return words ? rows.where(isFound(words)) : rows.where(sql<SqlBool>`false`)
      },
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

export function listApplications(
  db: Tx,
  readerId: string,
  filters: ApplicationFilters,
  page: Page,
): Promise<PageOf<ShownRow>> {
  return readPage(shown(db, choose(db, readerId, filters)), page, orderOf(filters))
}

/** Counts applications, up to a maximum beyond which the number no longer matters. */
export async function countApplications(
  db: Tx,
  readerId: string,
  filters: ApplicationFilters,
  max: number,
): Promise<number> {
  const counted = choose(db, readerId, filters).limit(max)
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
    .select([staffName('assignee').as('assignee_name'), 'sender.id as member_id'])
    .select(isOwnApplicationOf(readerId).as('is_own'))
    .select(
      sql<boolean>`not exists (select from ambassador a where a.id = ambassador_application.ambassador_id and a.member_id is not null)`.as(
        'is_erasable',
      ),
    )
    .where('ambassador_application.id', '=', id)
    .executeTakeFirst()

/** Returns a colleague, unless the application is their own. */
export const findAssignable = (db: Tx, rule: ColleagueRule, id: string, applicationId: string) =>
  colleagues(db, rule, 'employee')
    .where('member.id', '=', id)
    .where(
      sql<SqlBool>`email_alias(member.email) <> (select email_alias(a.email) from ambassador_application a where a.id = ${applicationId})`,
    )
    .executeTakeFirst()

type Duplicate = Pick<ApplicationRow, 'id' | 'full_name' | 'city' | 'country' | 'status' | 'created_at'> & {
  by: DuplicateApplication['by']
}

const mailbox = (table: string) => sql`email_alias(${sql.ref(`${table}.email`)})`
const name = (table: string) => sql`folded_name(${sql.ref(`${table}.full_name`)})`
const links = (table: string) => sql`folded_links(${sql.ref(`${table}.social_media`)})`

/** One indexed query for each sign. */
const ways = [
  sql`select other.id from ambassador_application other where ${mailbox('other')} = ${mailbox('own')}`,
  sql`select other.id from ambassador_application other where ${name('own')} <> '' and ${name('other')} = ${name('own')}`,
  sql`select other.id from ambassador_application other where ${links('other')} && ${links('own')}`,
]

/** Readers can't see their own application, nor what it has in common with others. */
const isOfOthers = (readerId: string) =>
  sql`${mailbox('other')} is distinct from (select email_alias(m.email) from member m where m.id = ${readerId})`

const lookedAtMax = 200

/** Returns the newest applications that share the mailbox, the name, or a profile, without the reader’s own. */
export async function findDuplicates(db: Tx, id: string, readerId: string, limit: number) {
  const { rows } = await sql<Duplicate>`
    select other.id, other.full_name, other.city, other.country, other.status, other.created_at,
      array_remove(array[
        case when ${name('own')} <> '' and ${name('other')} = ${name('own')} then 'name' end,
        case when ${links('other')} && ${links('own')} then 'link' end,
        case when ${mailbox('other')} = ${mailbox('own')} then 'mailbox' end], null) as by
    from ambassador_application own
    cross join lateral (
      ${sql.join(
        ways.map((way) => sql`(${way} limit ${lookedAtMax})`),
        sql` union `,
      )}
    ) found
    join ambassador_application other on other.id = found.id and other.id <> own.id
    where own.id = ${id} and ${isOfOthers(readerId)}
    order by other.created_at desc, other.id limit ${limit}`.execute(db)
  return rows
}

/** Returns which of these have a duplicate, in one query for a page. */
export async function listDuplicated(
  db: Tx,
  readerId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select own.id from ambassador_application own
    where own.id = any(${ids}) and (
      ${sql.join(
        ways.map((way) => sql`exists (${way} and other.id <> own.id and ${isOfOthers(readerId)})`),
        sql` or `,
      )})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
