import { sql } from 'kysely'
import type { Language } from '#contract/platform/languages.ts'
import { readsListMax, type ReadKind } from '#contract/publishing/reads.ts'
import type { Tx } from '../../platform/db/database.ts'

/** One reader of one item on one day. `mark` is the salted hash of the reader and the item. */
export type CountedRead = {
  day: string
  mark: number
  kind: ReadKind
  item: string
  language: Language
  referrer: string
}

/** Returns the salt of a day, which the first instance that asks for it creates. */
export async function shareSalt(db: Tx, day: string, salt: string): Promise<string> {
  await db
    .insertInto('read_salt')
    .values({ day, salt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const shared = await db
    .selectFrom('read_salt')
    .select('salt')
    .where(sql<string>`day::text`, '=', day)
    .executeTakeFirstOrThrow()
  return shared.salt
}

export async function listReferrersOn(db: Tx, day: string): Promise<string[]> {
  const { rows } = await sql<{
    referrer: string
  }>`select distinct referrer from read_count where day = ${day}::date`.execute(db)
  return rows.map(({ referrer }) => referrer)
}

/**
 * Adds reads that no instance has counted yet. Repeating the call counts nothing twice. The slug of a post becomes the
 * ID of the post that readers see: the one in their language if it exists. Rows are written in a fixed order, so that
 * instances don't deadlock.
 */
export async function addReads(db: Tx, reads: readonly CountedRead[]): Promise<void> {
  const column = <Name extends keyof CountedRead>(name: Name) => reads.map((each) => each[name])
  await sql`
    with given as (
      select * from unnest(${column('day')}::date[], ${column('mark')}::bigint[], ${column('kind')}::read_kind[],
        ${column('item')}::text[], ${column('language')}::language[], ${column('referrer')}::text[])
        as given (day, mark, kind, item, language, referrer)
    ), fresh as (
      insert into read_mark (day, mark) select day, mark from given order by day, mark
      on conflict do nothing returning day, mark
    ), known as (
      select day, kind, language, referrer, case kind when 'post' then (
        select id from announcement where slug = given.item and state = 'published'
        order by announcement.language = given.language desc, announcement.language limit 1
      ) else item end as item
      from given join fresh using (day, mark)
    )
    insert into read_count (day, kind, item, language, referrer, reads)
    select day, kind, item, language, referrer, count(*) from known where item is not null
    group by day, kind, item, language, referrer order by kind, item, day, language, referrer
    on conflict (kind, item, day, language, referrer) do update set reads = read_count.reads + excluded.reads
  `.execute(db)
}

const marksAtOnce = 20_000

/** Deletes the salts and hashes of the days before this one. */
export async function deletePastMarks(db: Tx, today: string): Promise<void> {
  await sql`delete from read_salt where day < ${today}::date`.execute(db)
  for (let deleted = marksAtOnce; deleted === marksAtOnce;) {
    const { numAffectedRows } = await sql`
      delete from read_mark where (day, mark) in
        (select day, mark from read_mark where day < ${today}::date limit ${marksAtOnce})`.execute(db)
    deleted = Number(numAffectedRows)
  }
}

/** Sums up the rows of the months before this one, which begins on `month`, so that each month has one row. */
export const sumUpReadsBefore = (db: Tx, month: string) =>
  sql`
    with daily as (
      delete from read_count where day < ${month}::date and day <> date_trunc('month', day)
      returning *
    )
    insert into read_count (day, kind, item, language, referrer, reads)
    select date_trunc('month', day)::date, kind, item, language, referrer, sum(reads) from daily
    group by 1, 2, 3, 4, 5 order by 2, 3, 1, 4, 5
    on conflict (kind, item, day, language, referrer) do update set reads = read_count.reads + excluded.reads
  `.execute(db)

type Period = { from: string; to: string }

const within = ({ from, to }: Period) => sql`day between ${from}::date and ${to}::date`

export async function listReadsByDay(db: Tx, period: Period) {
  const { rows } = await sql<{ day: string; reads: number }>`
    select day::text, sum(reads)::float8 as reads from read_count where ${within(period)} group by day order by day
  `.execute(db)
  return rows
}

export async function listReadsByItem(db: Tx, period: Period) {
  const { rows } = await sql<{
    kind: ReadKind
    item: string
    title: string | null
    language: Language | null
    slug: string | null
    reads: number
  }>`
    select counted.kind, counted.item, post.title, post.language, counted.reads,
      case when post.state = 'published' then post.slug end as slug
    from (
      select kind, item, sum(reads)::float8 as reads from read_count where ${within(period)}
      group by kind, item order by reads desc, kind, item limit ${readsListMax}
    ) as counted
    left join announcement as post on counted.kind = 'post' and post.id = counted.item
    order by counted.reads desc, counted.kind, counted.item
  `.execute(db)
  return rows
}

export async function listReadsByLanguage(db: Tx, period: Period) {
  const { rows } = await sql<{ language: Language; reads: number }>`
    select language, sum(reads)::float8 as reads from read_count where ${within(period)}
    group by language order by reads desc
  `.execute(db)
  return rows
}

export async function listReadsByReferrer(db: Tx, period: Period) {
  const { rows } = await sql<{ host: string; reads: number }>`
    select referrer as host, sum(reads)::float8 as reads from read_count where ${within(period)}
    group by referrer order by reads desc, referrer limit ${readsListMax}
  `.execute(db)
  return rows
}

/** Reads of posts by ID: since a day, and in total. */
export async function listReadsOfPosts(db: Tx, ids: readonly string[], since: string) {
  const { rows } = await sql<{ id: string; recent: number; total: number }>`
    select item as id, coalesce(sum(reads) filter (where day >= ${since}::date), 0)::float8 as recent,
      sum(reads)::float8 as total
    from read_count where kind = 'post' and item = any(${ids}::text[]) group by item
  `.execute(db)
  return new Map(rows.map(({ id, recent, total }) => [id, { recent, total }]))
}
