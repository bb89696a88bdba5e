import { sql } from 'kysely'
import brand from '../../content/brand.json' with { type: 'json' }
import { readConfig } from '../../api/platform/config/config.ts'
import { openDatabase, type Database } from '../../api/platform/db/database.ts'
import { makePasswordHasher } from '../../api/platform/password-hasher.ts'
import { newsPageSize } from '../../contract/publishing/announcements.ts'
import { startSession } from '../../api/people/sessions/start-session.ts'

/** A signed-in member with an IP address of their own, which the proxy forwards. */
export type Person = { id: string; email: string; token: string; ip: string }
type Place = { lang: string; at: string; id: string }

/** The people and records that requests refer to. */
export type Scene = {
  password: string
  passwordHash: string
  members: readonly Person[]
  /** Members who publish posts. */
  authors: readonly Person[]
  /** Positions where lists of posts can start. */
  places: readonly Place[]
}

const memberCount = 512
const authorCount = 16
const atOnce = 8
const password = 'correct horse battery'

const config = readConfig({
  NODE_ENV: 'development',
  DEMO: 'off',
  DATABASE_URL: 'postgres://localhost',
  STAFF_SECOND_FACTOR: 'optional',
})

export async function prepareScene(databaseUrl: string): Promise<Scene> {
  const db = openDatabase(databaseUrl, () => {})
  try {
    const passwordHash = await (await makePasswordHasher()).hash(password)
    const found = await db
      .selectFrom('member')
      .select(['id', 'email'])
      .where('active', '=', true)
      .where('manage_employee', '=', 0)
      .where('manage_finance', '=', 0)
      .orderBy('created_at', 'desc')
      .limit(memberCount + authorCount)
      .execute()
    const ids = found.map(({ id }) => id)
    await db.updateTable('member').set({ password_hash: passwordHash }).where('id', 'in', ids).execute()
    const authorIds = ids.slice(memberCount)
    await db.updateTable('member').set({ manage_news: 2 }).where('id', 'in', authorIds).execute()
    await acceptTexts(db, ids)
    const people = await signIn(db, found)
    await makeInsertTable(db)
    return {
      password,
      passwordHash,
      members: people.slice(0, memberCount),
      authors: people.slice(memberCount),
      places: await listPlaces(db),
    }
  } finally {
    await db.destroy()
  }
}

/** Members who have not accepted the legal texts are asked on every page of the account. */
async function acceptTexts(db: Database, ids: readonly string[]): Promise<void> {
  const consents = (['terms', 'privacy'] as const).flatMap((document) =>
    ids.map((member_id) => ({
      member_id,
      document,
      version: brand.legal[document],
      place: 'sign-up' as const,
    })),
  )
  await db.insertInto('consent').values(consents).execute()
}

/** The tokens are valid longer than the run takes. */
async function signIn(db: Database, found: readonly { id: string; email: string }[]): Promise<Person[]> {
  const sign = async ({ id, email }: { id: string; email: string }, n: number): Promise<Person> => {
    const ip = `10.1.${n >> 8}.${n & 255}`
    const facts = { id: '', language: 'en', client: ip, userAgent: '', isSecure: false } as const
    const cookies = { refreshToken: undefined, xsrfToken: undefined }
    const { signedIn } = await startSession(db, config, id, { ...facts, ...cookies })
    return { id, email, token: signedIn.token, ip }
  }
  const people: Person[] = []
  for (let from = 0; from < found.length; from += atOnce) {
    const some = found.slice(from, from + atOnce)
    people.push(...(await Promise.all(some.map((each, n) => sign(each, from + n)))))
  }
  await sql`update access_token set expires_at = now() + interval '1 day'`.execute(db)
  return people
}

/** The table that the bare server inserts into, with only the columns that posts need. */
async function makeInsertTable(db: Database): Promise<void> {
  await sql`create schema if not exists bench`.execute(db)
  await sql`create table if not exists bench.post (id text primary key default gen_random_uuid()::text, slug text not null unique,
    title text not null, category text not null, language text not null, content text not null, created_by text not null,
    posted_at timestamptz(3) not null default now())`.execute(db)
}

async function listPlaces(db: Database): Promise<Place[]> {
  const posts = await db
    .selectFrom('announcement')
    .select(['id', 'language', 'posted_at'])
    .where('state', '=', 'published')
    .orderBy('posted_at', 'desc')
    .execute()
  // At least as many posts follow each position as a list has.
  return posts.slice(0, -4 * newsPageSize).map(({ id, language, posted_at }) => ({
    lang: language,
    at: posted_at.toISOString(),
    id,
  }))
}
