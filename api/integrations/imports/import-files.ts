import {
  insertAnnouncement,
  type AnnouncementContent,
} from '../../publishing/announcements/announcement.queries.ts'
import { dateChange, dateImported } from '../../publishing/announcements/imported-post.queries.ts'
import { markPublished } from '../../publishing/announcements/mark-published.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { announceChange } from '../../platform/db/changes.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { kindOfStored } from '../../platform/imported-hash.ts'
import { insertImportedKyc } from '../../people/kyc/imported-kyc.queries.ts'
import {
  insertImportedMembers,
  lockImports,
  recordImportedKinds,
  type ImportedMemberRow,
} from '../../people/members/imported-member.queries.ts'
import { profileColumns, rightColumns } from '../../people/members/profile-columns.ts'
import { insertImportedOrders } from '../../money/orders/imported-order.queries.ts'
import type { Services } from '../../platform/services.ts'
import type { Plan, Planned } from './plan.ts'
import { identityColumns, identityIgnored, planIdentities } from './plan-identities.ts'
import { hasRights, memberColumns, memberIgnored, planMembers } from './plan-members.ts'
import { orderColumns, orderIgnored, planOrders } from './plan-orders.ts'
import { planPosts, postColumns, postIgnored, prepareTexts, type ImportedPost } from './plan-posts.ts'
import { readRecords, type Columns, type GivenRecords } from './read-records.ts'

export const importKinds = ['members', 'orders', 'posts', 'identities'] as const
export type ImportKind = (typeof importKinds)[number]

export type Asked = {
  files: Partial<Record<ImportKind, Buffer>>
  isDry: boolean
  withRights: boolean
  /** Columns that were ignored. */
  skipped: readonly string[]
}
/** What would be done, or was done, for each file. */
export type Outcome = { isDone: boolean; plans: Partial<Record<ImportKind, Plan<{ id: string }>>> }

type Needed = Pick<Services, 'db' | 'files' | 'keys' | 'config'>

const columnsOf: Record<ImportKind, { columns: Columns; ignored: readonly string[] }> = {
  members: { columns: memberColumns, ignored: memberIgnored },
  orders: { columns: orderColumns, ignored: orderIgnored },
  posts: { columns: postColumns, ignored: postIgnored },
  identities: { columns: identityColumns, ignored: identityIgnored },
}

/** Thrown if a problem stops the whole import: nothing is done. */
class Stopped extends Error {}

/**
 * Imports the data of an earlier site. All files are imported in one transaction, completely or not at all. Existing
 * records, matched by ID, stay unchanged, so that importing the same files again changes nothing.
 */
export async function importFiles(needed: Needed, asked: Asked): Promise<Outcome> {
  const given = Object.fromEntries(
    Object.entries(asked.files).map(([kind, bytes]) => {
      const { columns, ignored } = columnsOf[kind as ImportKind]
      return [kind, readRecords(bytes, { columns, ignored: [...ignored, ...asked.skipped] })]
    }),
  ) as Partial<Record<ImportKind, GivenRecords>>
  // Texts are prepared before the transaction, so that others don't wait for it.
  const before = await planAll(needed.db, given, asked)
  const texts = before.posts
    ? await prepareTexts(needed, before.posts.made, asked.isDry || hasProblems(before), before.posts.problems)
    : new Map<string, AnnouncementContent>()
  if (asked.isDry || hasProblems(before)) return { isDone: false, plans: before }
  let plans: Plans = before
  try {
    await transaction(needed.db, async (db) => {
      await lockImports(db)
      plans = await planAll(db, given, asked)
      if (hasProblems(plans)) throw new Stopped()
      await writeAll(db, needed, plans, texts)
    })
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    return { isDone: false, plans }
  }
  return { isDone: true, plans }
}

type Plans = {
  members?: Awaited<ReturnType<typeof planMembers>>
  orders?: Awaited<ReturnType<typeof planOrders>>
  posts?: Awaited<ReturnType<typeof planPosts>>
  identities?: Awaited<ReturnType<typeof planIdentities>>
}

async function planAll(
  db: Tx,
  given: Partial<Record<ImportKind, GivenRecords>>,
  asked: Asked,
): Promise<Plans> {
  const members = given.members && (await planMembers(db, given.members, asked))
  const newMembers = new Set(members?.made.map(({ row }) => row.id))
  const ofImport = { made: newMembers, failed: members?.failed ?? new Map<string, never>() }
  return {
    ...(members && { members }),
    ...(given.orders && { orders: await planOrders(db, given.orders, ofImport) }),
    ...(given.posts && { posts: await planPosts(db, given.posts, newMembers) }),
    ...(given.identities && { identities: await planIdentities(db, given.identities, ofImport) }),
  }
}

const hasProblems = (plans: Plans): boolean =>
  Object.values(plans).some(({ problems }) => problems.length > 0)

const rowsAtOnce = 500

async function inRows<Row>(
  made: readonly Planned<Row>[],
  write: (rows: Row[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < made.length; at += rowsAtOnce)
    await write(made.slice(at, at + rowsAtOnce).map(({ row }) => row))
}

async function writeAll(
  db: Tx,
  needed: Needed,
  { members, orders, posts, identities }: Plans,
  texts: ReadonlyMap<string, AnnouncementContent>,
): Promise<void> {
  if (members) await writeMembers(db, members.made)
  if (orders) await inRows(orders.made, (rows) => insertImportedOrders(db, rows))
  if (identities) await inRows(identities.made, (rows) => insertImportedKyc(db, rows))
  for (const { row } of posts?.made ?? []) await writePost(db, needed, row, texts.get(row.id)!)
  if (posts && posts.made.length > 0) await announceChange(db, 'announcements')
  // Written last, to lock the audit log for the shortest time.
  const counts = [
    ['members-imported', 'member', members],
    ['orders-imported', 'order', orders],
    ['announcements-imported', 'announcement', posts],
    ['kyc-imported', 'kyc', identities],
  ] as const
  for (const [action, subjectKind, plan] of counts)
    if (plan && plan.made.length > 0)
      await recordAudit(db, {
        actorId: null,
        action,
        subjectKind,
        subjectId: null,
        detail: { count: plan.made.length },
      })
}

/** Inserts members. Rights from a file are logged with their owner, like all others. */
async function writeMembers(db: Tx, made: readonly Planned<ImportedMemberRow>[]): Promise<void> {
  await recordImportedKinds(db, [
    ...new Set(made.flatMap(({ row }) => kindOfStored(row.password_hash ?? '') ?? [])),
  ])
  await inRows(made, (rows) => insertImportedMembers(db, rows))
  for (const { row } of made)
    if (hasRights(row))
      await recordAudit(db, {
        actorId: null,
        action: 'member-updated',
        subjectKind: 'member',
        subjectId: row.id,
        detail: changesOf(row),
      })
}

function changesOf(row: ImportedMemberRow): { fields: string[]; changes: string[] } {
  const rights = rightColumns.filter((column) => row[column])
  const nameOf = (column: string) =>
    Object.entries(profileColumns).find(([, known]) => known === column)?.[0] ?? column
  return {
    fields: rights.map(nameOf),
    changes: rights.map((column) => `${nameOf(column)} ${row[column] === true ? false : 0} → ${row[column]}`),
  }
}

async function writePost(
  db: Tx,
  needed: Needed,
  post: ImportedPost,
  content: AnnouncementContent,
): Promise<void> {
  const isPublished = post.state === 'published'
  const dates = { postedAt: post.posted_at, editedAt: post.edited_at }
  await insertAnnouncement(db, content, post.created_by, { id: post.id, slug: post.slug })
  await dateImported(db, post.id, { ...dates, isPublished })
  if (isPublished) await markPublished(db, needed, post.id, { isHistory: true })
  await dateChange(db, post.id, dates)
}
