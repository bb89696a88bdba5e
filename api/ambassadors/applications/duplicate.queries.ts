import { sql } from 'kysely'
import type { AmbassadorState } from '#contract/ambassadors.ts'
import type { Tx } from '../../db/database.ts'

type Duplicate = {
  id: string
  full_name: string
  city: string
  country: string
  status: AmbassadorState
  created_at: Date
  by_name: boolean
  by_link: boolean
  by_mailbox: boolean
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
export async function findDuplicates(
  db: Tx,
  id: string,
  readerId: string,
  limit: number,
): Promise<Duplicate[]> {
  const { rows } = await sql<Duplicate>`
    select other.id, other.full_name, other.city, other.country, other.status, other.created_at,
      ${name('own')} <> '' and ${name('other')} = ${name('own')} as by_name,
      ${links('other')} && ${links('own')} as by_link,
      ${mailbox('other')} = ${mailbox('own')} as by_mailbox
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
