import { sql } from 'kysely'
import type { RateReference } from '#contract/money/sale.ts'
import type {
  FlatSettings,
  SettingChange,
  SettingField,
  SettingSubject,
  VersionFilters,
} from '#contract/people/settings.ts'
import type { Tx } from '../../platform/db/database.ts'
import { narrowed } from '../../platform/db/read-list.ts'
import { paginate, type Page } from '../../platform/db/read-page.ts'
import { staffName, ago } from '../../platform/db/expressions.ts'

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

/**
 * Returns the rate, `age` ago, of each code and coin that the sale ever offered: its last one until then, or its first
 * one since. Versions until then come first, newest first; then later ones, oldest first.
 */
export async function listRateReferences(db: Tx, age: number): Promise<RateReference[]> {
  const { rows } = await sql<RateReference>`
    select version, "isDayOld", code, chain, currency, rate from (
      select distinct on (code, chain, currency) * from (
        select version.id, version.id::text as version, version.at <= ${ago(age)} as "isDayOld",
          method.code, method.rate, version.after->>(method.code || '.chain') as chain,
          version.after->>(method.code || '.currency') as currency
        from setting_version version, lateral (
          select left(entry.key, -5) as code, entry.value as rate
          from jsonb_each_text(version.after) entry where entry.key like '%.rate'
        ) method
        where version.subject = 'sale' and version.after ? (method.code || '.currency') and (version.changes = '[]'
          or version.changes @? '$[*] ? (@.path like_regex "\\\\.(rate|currency|chain)$")')
      ) offered
      order by code, chain, currency, "isDayOld" desc, case when "isDayOld" then -id else id end
    ) reference
    order by "isDayOld" desc, case when "isDayOld" then -id else id end`.execute(db)
  return rows
}

/** Lists the changes of the sale since `age` ago, oldest first. */
export const listVersionsOfSale = (db: Tx, age: number) =>
  db
    .selectFrom('setting_version')
    .select(['at', 'before', 'after'])
    .where('subject', '=', 'sale')
    .where('at', '>', ago(age))
    .orderBy('id')
    .execute()

/** Lists recent changes that affected receiving addresses or rates. */
export const listVersionsOfAddresses = (db: Tx, age: number) =>
  versions(db)
    .where('version.subject', '=', 'sale')
    .where('version.at', '>', ago(age))
    .where('version.by_member_id', 'is not', null)
    .where(sql<boolean>`version.changes @? '$[*] ? (@.path like_regex "\\\\.(receivingAddress|rate)$")'`)
    .orderBy('version.id', 'desc')
    .limit(20)
    .execute()

/** Last parts of the paths that belong to a field, after a point or, in a round, a slash. */
const namesOf: Record<SettingField, readonly string[]> = {
  rate: ['rate'],
  receivingAddress: ['receivingAddress'],
  limits: ['minAmount', 'maxAmount', 'decimals'],
  open: ['isOpen'],
  window: ['opensAt', 'closesAt'],
  caps: ['cap', 'memberCap'],
  quoteMinutes: ['quoteMinutes'],
}

/** Lists versions by ID, which is chronological: changes of one subject are serialized. */
export function listVersions(db: Tx, filters: VersionFilters, { limit, after = '' }: Page) {
  const direction = filters.sort === 'at' ? 'asc' : 'desc'
  const touches = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<boolean>`exists (select from jsonb_array_elements(version.changes) change where ${condition})`
  const query = narrowed(versions(db), filters, {
    subject: (rows, subject) => rows.where('version.subject', '=', subject),
    field: (rows, field) =>
      rows.where(touches(sql`substring(change->>'path' from '[^./]*$') = any(${namesOf[field]})`)),
    method: (rows, method) =>
      rows.where(
        touches(sql`starts_with(lower(substring(change->>'path' from '[^/]*$')), lower(${method}) || '.')`),
      ),
    from: (rows, from) => rows.where('version.at', '>=', sql<Date>`${from}::date at time zone 'UTC'`),
    to: (rows, to) => rows.where('version.at', '<', sql<Date>`(${to}::date + 1) at time zone 'UTC'`),
  })
    .$if(/^\d{1,18}$/.test(after), (rows) => rows.where('version.id', direction === 'asc' ? '>' : '<', after))
    .orderBy('version.id', direction)
  return paginate(query, limit, (row) => row.id)
}
