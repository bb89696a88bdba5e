import { sql } from 'kysely'
import type { LegalDocument } from '#contract/people/consents.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { staffName, ago } from '../../../platform/db/expressions.ts'
import { laterVersion } from '../rules/legal-version.ts'
import { inKnownLanguages } from './content-item.ts'
import type { Published } from './site-state.ts'

/** Publishing is serialized, because each result must satisfy the rules together with the others. */
export const lockContent = (db: Tx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('content', 0))`.execute(db)

/** All overrides of the files. */
export async function readPublished(db: Tx): Promise<Published> {
  const pieces = await db
    .selectFrom('content_piece')
    .select(['piece', 'override'])
    .where('override', 'is not', null)
    .execute()
  const pictures = await db.selectFrom('content_file').select('name').where('kind', '=', 'picture').execute()
  return {
    overrides: new Map(pieces.map(({ piece, override }) => [piece, inKnownLanguages(override)])),
    legal: await readLegal(db),
    pictures: pictures.map(({ name }) => name),
  }
}

async function readLegal(db: Tx): Promise<Map<LegalDocument, string>> {
  const rows = await db.selectFrom('content_legal_version').select(['document', 'version']).execute()
  const newest = new Map<LegalDocument, string>()
  for (const row of rows) {
    newest.set(row.document, laterVersion(row.version, newest.get(row.document) ?? row.version))
  }
  return newest
}

export const insertLegalVersion = (
  db: Tx,
  legal: { document: LegalDocument; version: string; by: string | null },
) =>
  db
    .insertInto('content_legal_version')
    .values({ document: legal.document, version: legal.version, by_member_id: legal.by })
    .execute()

/** Identifies the published state. Publishing is serialized, so a higher number is a later state. */
export async function readRevision(db: Tx): Promise<string> {
  const { rows } = await sql<{ revision: string }>`
    select coalesce(max(id), 0) || '/' || (select count(*) from content_legal_version)
      || '/' || (select coalesce(sum(hashtext(hash)::bigint), 0) from content_file_value) as revision
    from content_version`.execute(db)
  return rows[0]!.revision
}

/** Returns today's date in UTC, by the database clock. */
export async function readToday(db: Tx): Promise<string> {
  const { rows } = await sql<{ today: string }>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today`.execute(db)
  return rows[0]!.today
}

const pieces = (db: Tx) =>
  db
    .selectFrom('content_piece as p')
    .leftJoin('member as m', 'm.id', 'p.published_by')
    .leftJoin('content_release as r', (join) =>
      join.onRef('r.id', '=', 'p.release_id').on('r.ended_at', 'is', null),
    )
    .select([
      'p.piece',
      'p.n',
      'p.override',
      'p.outdated',
      'p.is_left_out',
      'p.published_at',
      'p.taken_over_at',
    ])
    .select(['p.published_by', staffName('m').as('publisher_name')])
    .select(['p.release_id', 'r.state as release_state', 'r.publish_at'])

export type ItemRow = Awaited<ReturnType<typeof listItems>>[number]

export const listItems = (db: Tx) => pieces(db).orderBy('p.piece').execute()

export const findItem = (db: Tx, piece: string) => pieces(db).where('p.piece', '=', piece).executeTakeFirst()

/** Creates the row if it is missing, and locks it. Several are locked in the order of their names. */
export async function lockItem(db: Tx, piece: string) {
  await db
    .insertInto('content_piece')
    .values({ piece })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db
    .selectFrom('content_piece')
    .selectAll()
    .where('piece', '=', piece)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export const setItemNumber = (db: Tx, piece: string, n: number) =>
  db.updateTable('content_piece').set({ n }).where('piece', '=', piece).execute()

/** Records which version the draft restores, if any. */
export const setRestored = (db: Tx, piece: string, restoredId: string | null) =>
  db.updateTable('content_piece').set({ restored_id: restoredId }).where('piece', '=', piece).execute()

export const setItemsRelease = (db: Tx, names: readonly string[], releaseId: string) =>
  db
    .updateTable('content_piece')
    .set({ release_id: releaseId })
    .where('piece', '=', sql<string>`any (${names}::text[])`)
    .execute()

export const freeItems = (db: Tx, releaseId: string) =>
  db.updateTable('content_piece').set({ release_id: null }).where('release_id', '=', releaseId).execute()

export const setPublished = (
  db: Tx,
  piece: string,
  state: { n: number; override: unknown; by: string | null },
) =>
  db
    .updateTable('content_piece')
    .set({
      n: state.n,
      override: state.override === null ? null : JSON.stringify(state.override),
      outdated: sql<string[]>`'{}'`,
      is_left_out: false,
      published_at: sql<Date>`now()`,
      published_by: state.by,
      release_id: null,
      restored_id: null,
      taken_over_at: null,
    })
    .where('piece', '=', piece)
    .execute()

/** Marks the items that this release can't show. */
export const setLeftOut = (db: Tx, names: readonly string[]) =>
  sql`update content_piece set is_left_out = not is_left_out
    where is_left_out <> (piece = any (${names}::text[]))`.execute(db)

export async function countLeftOut(db: Tx): Promise<number> {
  const { count } = await db
    .selectFrom('content_piece')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('is_left_out', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The files of the release that started last. */
export const listFileValues = (db: Tx) => db.selectFrom('content_file_value').selectAll().execute()

export const listFileHashes = (db: Tx) =>
  db.selectFrom('content_file_value').select(['piece', 'hash']).execute()

export const upsertFileValue = (db: Tx, file: { piece: string; hash: string; value: unknown }) =>
  sql`insert into content_file_value (piece, hash, value)
    values (${file.piece}, ${file.hash}, ${JSON.stringify(file.value)})
    on conflict (piece) do update set hash = excluded.hash, value = excluded.value`.execute(db)

export const deleteFileValuesBut = (db: Tx, names: readonly string[]) =>
  sql`delete from content_file_value where piece <> all (${names}::text[])`.execute(db)

/** Records what a new release changed below the override of an item. */
export const setFileChanges = (
  db: Tx,
  piece: string,
  state: { outdated: readonly string[]; isTakenOver: boolean; since: Date | null },
) =>
  db
    .updateTable('content_piece')
    .set({
      outdated: sql<string[]>`${state.outdated}::text[]`,
      taken_over_at: state.isTakenOver ? (state.since ?? sql<Date>`now()`) : null,
    })
    .where('piece', '=', piece)
    .execute()

export const listTakenOver = (db: Tx, age: number) =>
  db
    .selectFrom('content_piece')
    .select(['piece', 'override'])
    .where('override', 'is not', null)
    .where('taken_over_at', '<=', ago(age))
    .execute()

export const setOverride = (db: Tx, piece: string, override: unknown) =>
  db
    .updateTable('content_piece')
    .set({ override: override === null ? null : JSON.stringify(override), taken_over_at: null })
    .where('piece', '=', piece)
    .execute()
