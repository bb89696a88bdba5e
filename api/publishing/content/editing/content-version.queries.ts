import { sql } from 'kysely'
import { contentVersionsMax } from '#contract/publishing/console-content.ts'
import type { LegalDocument } from '#contract/people/consents.ts'
import type { SettingChange } from '#contract/people/settings.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { paginate, type Page } from '../../../platform/db/read-page.ts'
import { staffName } from '../../../platform/db/expressions.ts'

type NewVersion = {
  piece: string
  n: number
  value: unknown
  changes: readonly SettingChange[]
  by: string | null
  confirmedBy?: string | null
  origin: 'file' | 'console' | 'command'
  restoredId?: string | null
  newVersions?: readonly string[]
  /** For legal texts: the new versions. */
  legal?: Readonly<Record<LegalDocument, string>> | null
}

export const insertContentVersion = (db: Tx, version: NewVersion) =>
  db
    .insertInto('content_version')
    .values({
      piece: version.piece,
      n: version.n,
      value: JSON.stringify(version.value),
      changes: JSON.stringify(version.changes),
      by_member_id: version.by,
      confirmed_by_member_id: version.confirmedBy ?? null,
      origin: version.origin,
      restored_id: version.restoredId ?? null,
      new_versions: sql<string[]>`${version.newVersions ?? []}::text[]`,
      legal_versions: version.legal ? JSON.stringify(version.legal) : null,
    })
    .execute()

/** Keeps the newest versions of a piece, and all of the legal texts, because consents refer to them. */
export const deleteOldVersions = (db: Tx, piece: string) =>
  sql`delete from content_version where piece = ${piece} and legal_versions is null and new_versions = '{}' and id <= (
    select id from content_version where piece = ${piece} order by id desc
    offset ${contentVersionsMax} limit 1)`.execute(db)

export async function hasVersions(db: Tx, piece: string): Promise<boolean> {
  const row = await db
    .selectFrom('content_version')
    .select('id')
    .where('piece', '=', piece)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const versions = (db: Tx) =>
  db
    .selectFrom('content_version as v')
    .leftJoin('member as author', 'author.id', 'v.by_member_id')
    .leftJoin('member as second', 'second.id', 'v.confirmed_by_member_id')
    .select(['v.id', 'v.piece', 'v.n', 'v.at', 'v.changes', 'v.origin', 'v.restored_id'])
    .select(['v.by_member_id', 'v.confirmed_by_member_id', 'v.new_versions', 'v.legal_versions'])
    .select([staffName('author').as('author_name'), staffName('second').as('second_name')])

export type VersionRow = Awaited<ReturnType<typeof listContentVersions>>['rows'][number]

/** By ID, which is chronological, because publishing is serialized. */
export function listContentVersions(db: Tx, piece: string | undefined, { limit, after = '' }: Page) {
  const query = versions(db)
    .$if(piece !== undefined, (of) => of.where('v.piece', '=', piece!))
    .$if(/^\d{1,18}$/.test(after), (of) => of.where('v.id', '<', after))
  return paginate(query.orderBy('v.id', 'desc'), limit, (row) => row.id)
}

export const findContentVersion = (db: Tx, id: string) =>
  versions(db)
    .select('v.value')
    .where(sql<string>`v.id::text`, '=', id)
    .executeTakeFirst()

/** Versions published after the item had this number. */
export const listVersionsSince = (db: Tx, piece: string, n: number) =>
  versions(db).where('v.piece', '=', piece).where('v.n', '>', n).orderBy('v.id', 'desc').execute()
