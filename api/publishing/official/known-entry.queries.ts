import { sql } from 'kysely'
import { listedChannels, type ChannelStatus } from '#contract/publishing/console-official.ts'
import type { FiltersOf } from '#contract/platform/resource.ts'
import type { ChannelKind } from '#contract/publishing/official.ts'
import type { Tx } from '../../platform/db/database.ts'
import { readList } from '../../platform/db/read-list.ts'
import type { Page } from '../../platform/db/read-page.ts'
import { staffName } from '../../platform/db/expressions.ts'

const entries = (db: Tx) =>
  db
    .selectFrom('known_entry as entry')
    .leftJoin('member as author', 'author.id', 'entry.added_by')
    .select(['entry.id', 'entry.standing', 'entry.kind', 'entry.value', 'entry.key', 'entry.note'])
    .select(['entry.evidence', 'entry.added_at', 'entry.added_by', 'entry.updated_at', 'entry.withdrawn_at'])
    .select(staffName('author').as('author_name'))

export const getKnown = (db: Tx, id: string) =>
  entries(db).where('entry.id', '=', id).executeTakeFirstOrThrow()
export type KnownRow = Awaited<ReturnType<typeof getKnown>>

export const lockKnown = (db: Tx, id: string, standing: ChannelStatus) =>
  db
    .selectFrom('known_entry')
    .selectAll()
    .where('id', '=', id)
    .where('standing', '=', standing)
    .forUpdate()
    .executeTakeFirst()

/** Serializes changes of the list, so that an entry can't become official and an impersonation at the same time. */
export const lockKnownList = (db: Tx) =>
  sql`select pg_advisory_xact_lock(hashtext('known_entry'))`.execute(db)

const isPart = (column: string, q: string) => sql<boolean>`strpos(lower(${sql.ref(column)}), lower(${q})) > 0`

export const listKnown = (db: Tx, filters: FiltersOf<typeof listedChannels>, page: Page) =>
  readList(
    listedChannels,
    {
      rows: entries(db),
      where: {
        q: (rows, q) => rows.where(({ or }) => or([isPart('entry.value', q), isPart('entry.note', q)])),
        standing: (rows, standing) => rows.where('entry.standing', '=', standing),
        kind: (rows, kind) => rows.where('entry.kind', '=', kind),
        state: (rows, state) =>
          state === 'all'
            ? rows
            : rows.where('entry.withdrawn_at', state === 'withdrawn' ? 'is not' : 'is', null),
      },
      sortBy: { added: 'entry.added_at' },
      id: 'entry.id',
    },
    filters,
    page,
  )

/** Returns the valid entries with these keys, of either status. */
export const findByKeys = (db: Tx, keys: readonly string[]) =>
  db
    .selectFrom('known_entry')
    .select(['id', 'standing', 'value', 'note', 'key', 'added_at'])
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .where('withdrawn_at', 'is', null)
    .execute()

/** Returns the valid entries of a status, oldest first. */
export const listActive = (db: Tx, standing: ChannelStatus) =>
  db
    .selectFrom('known_entry')
    .select(['kind', 'value', 'note'])
    .where('standing', '=', standing)
    .where('withdrawn_at', 'is', null)
    .orderBy('added_at')
    .orderBy('id')
    .execute()

type KnownColumns = { kind: ChannelKind; value: string; key: string; note: string; evidence: string }

export async function insertKnown(
  db: Tx,
  columns: KnownColumns & { standing: ChannelStatus; by: string | null; addedAt?: Date },
): Promise<string> {
  const { by, addedAt, ...rest } = columns
  const { id } = await db
    .insertInto('known_entry')
    .values({ ...rest, added_by: by, ...(addedAt && { added_at: addedAt, updated_at: addedAt }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Edit conflicts are detected by time, so two changes in one millisecond need different times. */
const later = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`

export async function updateKnown(db: Tx, { id, ...columns }: KnownColumns & { id: string }): Promise<void> {
  await db
    .updateTable('known_entry')
    .set({ ...columns, updated_at: later })
    .where('id', '=', id)
    .execute()
}

export async function withdrawKnown(db: Tx, id: string, by: string): Promise<void> {
  await db
    .updateTable('known_entry')
    .set({ withdrawn_at: sql<Date>`now()`, withdrawn_by: by, updated_at: later })
    .where('id', '=', id)
    .execute()
}
