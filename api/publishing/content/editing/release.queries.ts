import { sql } from 'kysely'
import type { EndCause, ReleaseState, SensitiveKind } from '#contract/publishing/console-content.ts'
import type { LegalDocument } from '#contract/people/consents.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { readPage, type Page } from '../../../platform/db/read-page.ts'
import { ago, selectStaffNameWithAddress } from '../../../platform/db/expressions.ts'
import type { ItemChanges } from './official-changes.ts'
import type { ItemVersion } from './publish-items.ts'

/** How long a proposal can be approved, in milliseconds. */
const proposalLife = 7 * DAY
/** How long ended releases are kept, in milliseconds. Versions record what was published. */
const endedLife = 366 * DAY

type NewRelease = {
  state: ReleaseState
  pieces: readonly ItemVersion[]
  changes: readonly ItemChanges[]
  sensitive: readonly SensitiveKind[]
  newVersions: readonly LegalDocument[]
  publishAt: Date | null
  zone: string | null
  by: string
}

export async function insertRelease(db: Tx, release: NewRelease): Promise<string> {
  const isOver = release.state !== 'proposed' && release.state !== 'scheduled'
  const { id } = await db
    .insertInto('content_release')
    .values({
      state: release.state,
      pieces: JSON.stringify(release.pieces),
      changes: JSON.stringify(release.changes),
      sensitive: sql<string[]>`${release.sensitive}::text[]`,
      new_versions: sql<string[]>`${release.newVersions}::text[]`,
      publish_at: release.publishAt,
      publish_zone: release.zone,
      proposed_by: release.by,
      ended_at: isOver ? sql<Date>`now()` : null,
      ended_by: isOver ? release.by : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const releases = (db: Tx) =>
  db
    .selectFrom('content_release as r')
    .leftJoin('member as author', 'author.id', 'r.proposed_by')
    .leftJoin('member as second', 'second.id', 'r.confirmed_by')
    .leftJoin('member as ender', 'ender.id', 'r.ended_by')
    .select(['r.id', 'r.state', 'r.pieces', 'r.changes', 'r.sensitive', 'r.new_versions'])
    .select(sql<boolean>`coalesce(r.publish_at <= now(), false)`.as('is_due'))
    .select(['r.publish_at', 'r.publish_zone', 'r.proposed_by', 'r.proposed_at', 'r.confirmed_by'])
    .select([
      'r.ended_at',
      'r.ended_by',
      'r.reason',
      'r.cause',
      selectStaffNameWithAddress('ender').as('ender_name'),
    ])
    .select([
      selectStaffNameWithAddress('author').as('author_name'),
      selectStaffNameWithAddress('second').as('second_name'),
    ])

export type ReleaseRow = NonNullable<Awaited<ReturnType<typeof findRelease>>>

export const findRelease = (db: Tx, id: string) => releases(db).where('r.id', '=', id).executeTakeFirst()

/** The release, if it has not ended. */
export const findWaitingRelease = (db: Tx, id: string) =>
  releases(db).where('r.id', '=', id).where('r.ended_at', 'is', null).executeTakeFirst()

export const listReleases = (db: Tx, isWaiting: boolean, page: Page) =>
  readPage(releases(db).where('r.ended_at', isWaiting ? 'is' : 'is not', null), page, {
    at: 'r.proposed_at',
    id: 'r.id',
  })

/**
 * Lists proposals that await the approval of someone other than this member, who may lack the right to approve some of
 * them.
 */
export const listProposalsOfOthers = (db: Tx, memberId: string, page: Page) =>
  readPage(
    releases(db)
      .where('r.ended_at', 'is', null)
      .where('r.state', '=', 'proposed')
      .where('r.proposed_by', '<>', memberId),
    page,
    { at: 'r.proposed_at', id: 'r.id' },
  )

/** Releases that ended without being published, sorted by their end. */
export const listEndedReleases = (db: Tx, page: Page) =>
  readPage(
    releases(db)
      .where('r.ended_at', 'is not', null)
      .where('r.state', '<>', 'published')
      .$narrowType<{ ended_at: Date }>(),
    page,
    { at: 'r.ended_at', id: 'r.id' },
  )

/** Not locked, because `lockContent` serializes publishing. */
export const findDueRelease = (db: Tx, except: readonly string[]) =>
  db
    .selectFrom('content_release')
    .select('id')
    .where('state', '=', 'scheduled')
    .where('publish_at', '<=', sql<Date>`now()`)
    .$if(except.length > 0, (query) => query.where('id', 'not in', except))
    .orderBy('publish_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Milliseconds until the next one is due; undefined if none is scheduled. */
export async function readTimeToNextRelease(db: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(publish_at) - clock_timestamp()) * 1000)::float8 as wait
    from content_release where state = 'scheduled'`.execute(db)
  return rows[0]?.wait ?? undefined
}

type End = {
  state: ReleaseState
  by: string | null
  confirmedBy?: string | null
  reason?: string
  cause?: EndCause
}

export const endRelease = (db: Tx, id: string, { state, by, confirmedBy, reason = '', cause }: End) =>
  db
    .updateTable('content_release')
    .set({
      state,
      ended_at: sql<Date>`now()`,
      ended_by: by,
      reason,
      ...(cause && { cause }),
      ...(confirmedBy && { confirmed_by: confirmedBy }),
    })
    .where('id', '=', id)
    .execute()

export const confirmSchedule = (db: Tx, id: string, confirmedBy: string) =>
  db
    .updateTable('content_release')
    .set({ state: 'scheduled', confirmed_by: confirmedBy })
    .where('id', '=', id)
    .execute()

export const listExpiredProposals = (db: Tx) =>
  db
    .selectFrom('content_release')
    .select(['id', 'pieces', 'proposed_by'])
    .where('state', '=', 'proposed')
    .where('proposed_at', '<=', ago(proposalLife))
    .execute()

export const deleteOldReleases = (db: Tx) =>
  db.deleteFrom('content_release').where('ended_at', '<', ago(endedLife)).execute()
