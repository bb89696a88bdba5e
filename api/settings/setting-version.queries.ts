import { sql } from 'kysely'
import type { FlatSettings, SettingChange, SettingField, SettingSubject } from '#contract/settings.ts'
import type { Tx } from '../db/database.ts'
import { takePage } from '../db/read-page.ts'
import { staffName } from '../db/staff-name.ts'
import { ago } from '../db/time.ts'

export const insertVersion = (
  db: Tx,
  version: {
    subject: SettingSubject
    by: string | null
    confirmedBy?: string | null
    restoredId?: string | null
    before: FlatSettings
    after: FlatSettings
    changes: readonly SettingChange[]
  },
) =>
  db
    .insertInto('setting_version')
    .values({
      subject: version.subject,
      by_member_id: version.by,
      confirmed_by_member_id: version.confirmedBy ?? null,
      restored_id: version.restoredId ?? null,
      before: JSON.stringify(version.before),
      after: JSON.stringify(version.after),
      changes: JSON.stringify(version.changes),
    })
    .execute()

const versions = (db: Tx) =>
  db
    .selectFrom('setting_version as version')
    .leftJoin('member as author', 'author.id', 'version.by_member_id')
    .leftJoin('member as second', 'second.id', 'version.confirmed_by_member_id')
    .select(['version.id', 'version.subject', 'version.at', 'version.restored_id', 'version.changes'])
    .select(['version.after', 'version.by_member_id', 'version.confirmed_by_member_id'])
    .select([staffName('author').as('author_name'), staffName('second').as('second_name')])

export const findVersion = (db: Tx, id: string) =>
  db
    .selectFrom('setting_version as version')
    .innerJoin(versions(db).as('found'), 'found.id', 'version.id')
    .selectAll('found')
    .where(sql<string>`version.id::text`, '=', id)
    .executeTakeFirst()

export type VersionRow = NonNullable<Awaited<ReturnType<typeof findVersion>>>

export const findLatestVersion = (db: Tx, subject: SettingSubject) =>
  db
    .selectFrom('setting_version')
    .select(['id', 'after'])
    .where('subject', '=', subject)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The changes of the sale's rates of so long, the oldest first. */
export const listVersionsOfRates = (db: Tx, age: number) =>
  db
    .selectFrom('setting_version')
    .select(['at', 'changes'])
    .where('subject', '=', 'sale')
    .where('at', '>', ago(age))
    .where(sql<boolean>`changes @? '$[*] ? (@.path like_regex "\\\\.rate$")'`)
    .orderBy('id')
    .execute()

/** The changes of the last day that touched where payments go, or what is paid. */
export const listVersionsOfAddresses = (db: Tx, age: number) =>
  versions(db)
    .where('version.subject', '=', 'sale')
    .where('version.at', '>', ago(age))
    .where('version.by_member_id', 'is not', null)
    .where(sql<boolean>`version.changes @? '$[*] ? (@.path like_regex "\\\\.(receivingAddress|rate)$")'`)
    .orderBy('version.id', 'desc')
    .limit(20)
    .execute()

/** The last part of the paths that stand for a field. */
const namesOf: Record<SettingField, readonly string[]> = {
  rate: ['rate'],
  receivingAddress: ['receivingAddress'],
  limits: ['minAmount', 'maxAmount', 'decimals'],
  open: ['isOpen'],
  window: ['opensAt', 'closesAt'],
  caps: ['cap', 'memberCap'],
  quoteMinutes: ['quoteMinutes'],
}

export type VersionFilter = {
  subject?: SettingSubject | undefined
  field?: SettingField | undefined
  method?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** By id, which is the order of time: changes of one subject are made one after the other. */
export function listVersions(
  db: Tx,
  filter: VersionFilter,
  page: { limit: number; after?: string | undefined; sort: '-at' | 'at' },
) {
  const { subject, field, method, from, to } = filter
  const direction = page.sort === 'at' ? 'asc' : 'desc'
  const after = /^\d{1,18}$/.test(page.after ?? '') ? page.after : undefined
  const touches = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<boolean>`exists (select from jsonb_array_elements(version.changes) change where ${condition})`
  let query = versions(db)
  if (subject !== undefined) query = query.where('version.subject', '=', subject)
  if (from !== undefined) query = query.where('version.at', '>=', sql<Date>`${from}::date at time zone 'UTC'`)
  if (to !== undefined)
    query = query.where('version.at', '<', sql<Date>`(${to}::date + 1) at time zone 'UTC'`)
  if (field !== undefined)
    query = query.where(touches(sql`substring(change->>'path' from '[^.]*$') = any(${namesOf[field]})`))
  if (method !== undefined && method !== '')
    query = query.where(touches(sql`starts_with(lower(change->>'path'), lower(${method}) || '.')`))
  if (after !== undefined) query = query.where('version.id', direction === 'asc' ? '>' : '<', after)
  return takePage(query.orderBy('version.id', direction), page.limit, (row) => row.id)
}
