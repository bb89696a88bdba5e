import { announceChange } from '../../platform/db/changes.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { sleepBefore, startByClock } from '../../platform/jobs/start-by-clock.ts'
import { findAntiPhishingPhrasesOf } from '../../platform/mail/anti-phishing-phrase.queries.ts'
import { insertMails, rewriteDiscardedEmail } from '../../platform/mail/mail.queries.ts'
import type { Worker } from '../../platform/module.ts'
import type { Services } from '../../platform/services.ts'
import { makeMailedPicture } from '../pictures/mailed-picture.ts'
import { endSubscription } from './unsubscribe.ts'
import { followMembers } from './follow-members.ts'
import { insertDigests, listMailedPosts, listPostsOfDigest, settlePosts } from './digest.queries.ts'
import {
  endUndeliverableIssues,
  holdNextReaders,
  holdPublishedPost,
  insertIssuesOfPosts,
  isAnyOpen,
  type IssueRow,
  lockNextIssue,
  lockPace,
  type MailedPost,
  movePace,
  type Reader,
  recordFed,
} from './issue.queries.ts'
import { countOutcomes, listRefusing, uncountChanged } from './outcome.queries.ts'
import { listOwed, listOwedPosts, recordOwed, recordReappearedPayment } from './owed-post.queries.ts'
import { lockRetracted, setRetracted } from './retracted-email.queries.ts'
import {
  introducedPosts,
  type PicturesOfPosts,
  type ReaderWithPhrase,
  writeDigestMail,
  writePostMail,
} from './write-news.ts'

/**
 * The maximum number of newsletters waiting in the outbox, because their texts are stored until they are sent.
 */
export const waitingMax = 200
/**
 * The maximum number of postponed newsletters in addition: the most that an outage of our own mail server
 * should leave.
 */
const postponedMax = 5000
const batchMax = 100
/** A late worker writes no more at once than five seconds' worth of the limit per minute. */
const burstOf = (perMinute: number) => Math.max(1, Math.ceil(perMinute / 12))

type WorkerServices = Pick<Services, 'db' | 'files' | 'keys' | 'config' | 'log' | 'maintenance'>

/** Finds published posts, and writes their emails to the outbox at the configured rate. */
export const startNewsWorker = (services: WorkerServices): Required<Worker> =>
  startByClock(services, {
    job: 'newsByMail',
    topic: 'announcements',
    work: (isStopped) => mailNews(services, isStopped),
    failed: 'creating newsletter issues failed',
  })

/** One round. Returns how long to sleep. */
export async function mailNews(
  services: WorkerServices,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const { db, config } = services
  await removeRefusing(services)
  await uncountChanged(db)
  await countOutcomes(db)
  const made = (await insertIssuesOfPosts(db)) + (await insertDigests(db, config.digestTime))
  if (made > 0) await transaction(db, (db) => followMembers(db))
  await endUndeliverableIssues(db)
  while (!isStopped() && (await queueSome(services)));
  return sleepBefore((await isAnyOpen(db)) ? 1000 : undefined)
}

/**
 * Returns whether more can be written at once. The emails and the progress of the issue are one transaction.
 */
const queueSome = ({ db, files, keys, config }: WorkerServices): Promise<boolean> =>
  transaction(db, async (db) => {
    const perMinute = config.newsletterPerMinute
    const pace = { perMinute, burst: burstOf(perMinute) }
    const allowed = await lockPace(db, pace)
    if (!allowed) return false
    const room = Math.min(
      allowed.ready,
      waitingMax - allowed.waiting,
      postponedMax - allowed.postponed,
      batchMax,
    )
    const issue = room > 0 ? await lockNextIssue(db) : undefined
    if (!issue) return false
    const fed = await feedIssue(db, { files, keys, config }, issue, room)
    await movePace(db, { ...pace, fed })
    return true
  })

type FeedNeeds = Pick<Services, 'files' | 'keys' | 'config'>

/**
 * Nobody gets an empty digest: each reader gets the posts they want and were not emailed singly. Posts that are
 * not public now are owed to them, and go into the next digest once they are.
 */
async function writeDigests(db: Tx, needs: FeedNeeds, issue: IssueRow, readers: readonly ReaderWithPhrase[]) {
  if (readers.length === 0) return []
  const ids = readers.map(({ id }) => id)
  const settled = await listPostsOfDigest(db, issue)
  const owed = await listOwed(db, issue, ids)
  const owedPosts = await listOwedPosts(
    db,
    owed.map(({ announcement_id }) => announcement_id),
  )
  const all = [...new Map([...owedPosts, ...settled].map((post) => [post.id, post])).values()].toSorted(
    (one, other) => one.posted_at.getTime() - other.posted_at.getTime(),
  )
  const pairOf = (row: { subscriber_id: string; announcement_id: string | null }) =>
    `${row.subscriber_id} ${row.announcement_id}`
  const had = new Set(
    (
      await listMailedPosts(
        db,
        ids,
        all.map(({ id }) => id),
      )
    ).map(pairOf),
  )
  const isOwed = new Set(owed.map(pairOf))
  const isSettled = new Set(settled.map(({ id }) => id))
  const isFor = (reader: ReaderWithPhrase) => (post: MailedPost) => {
    const pair = `${reader.id} ${post.id}`
    return (
      (isSettled.has(post.id) || isOwed.has(pair)) &&
      reader.categories.includes(post.category) &&
      !had.has(pair) &&
      // Later posts are emailed singly.
      (reader.left_weekly_at === null || post.posted_at <= reader.left_weekly_at)
    )
  }
  const theirs = readers.map((reader) => all.filter(isFor(reader)))
  const pairs = theirs.flatMap((found, at) =>
    found.map(({ id, state }) => ({ state, announcement_id: id, subscriber_id: readers[at]!.id })),
  )
  const rows = (isPublic: boolean) =>
    pairs.flatMap(({ state, ...row }) => ((state === 'published') === isPublic ? [row] : []))
  await recordOwed(db, rows(false))
  await recordReappearedPayment(
    db,
    issue,
    rows(true).filter((row) => isOwed.has(pairOf(row))),
  )
  const shown = theirs.map((found) => found.filter(({ state }) => state === 'published'))
  const pictures = await picturesOf(needs, shown)
  return readers.map((reader, at) => {
    const posts = shown[at]!
    if (posts.length === 0) return undefined
    return writeDigestMail(needs, { posts, pictures, since: issue.from_at! }, reader)
  })
}

/** Makes the pictures of all posts that a digest shows with one. */
async function picturesOf(
  { files }: FeedNeeds,
  shown: readonly (readonly MailedPost[])[],
): Promise<PicturesOfPosts> {
  const pictures = new Map<string, { path: string; alt: string }>()
  const posts = new Map(
    shown.flatMap((each) => each.slice(0, introducedPosts)).map((post) => [post.id, post]),
  )
  for (const post of posts.values()) {
    // Without its pictures, a digest is still worth sending.
    const picture = await makeMailedPicture(files, post).catch(() => undefined)
    if (picture) pictures.set(post.id, picture)
  }
  return pictures
}

async function feedIssue(db: Tx, needs: FeedNeeds, issue: IssueRow, limit: number): Promise<number> {
  const isPost = issue.rhythm === 'each'
  const post = isPost ? await holdPublishedPost(db, issue.announcement_id!) : undefined
  // Withdrawn since the issue was found.
  if (isPost && !post) return 0
  if (!isPost && issue.fed_through === '') await settlePosts(db, issue)
  const write = async (held: readonly (Reader & { mail_id?: string })[]) => {
    const readers = await withPhrases(db, needs, held)
    return post
      ? readers.map((reader) => writePostMail(needs, post, reader))
      : writeDigests(db, needs, issue, readers)
  }
  const again = await lockRetracted(db, issue, limit)
  if (again.length > 0) {
    const readers = again.filter(
      ({ is_theirs, categories }) => is_theirs && (!post || categories.includes(post.category)),
    )
    const mails = (await write(readers)).filter((mail) => mail !== undefined)
    for (const mail of mails) await rewriteDiscardedEmail(db, mail)
    await setRetracted(
      db,
      again.map(({ mail_id }) => mail_id),
      false,
    )
    if (mails.length > 0) await announceChange(db, 'mail')
    return mails.length
  }
  if (issue.fed_at) return 0
  const readers = await holdNextReaders(db, issue, post?.category, limit)
  const mails = await write(readers)
  const written = mails.flatMap((mail, at) => (mail ? [{ mail, readerId: readers[at]!.id }] : []))
  if (written.length > 0) {
    await insertMails(
      db,
      written.map(({ mail }) => mail),
    )
    await announceChange(db, 'mail')
  }
  await recordFed(
    db,
    issue.id,
    written.map(({ mail, readerId }) => ({ id: mail.id, readerId })),
    { through: readers.at(-1)?.id ?? issue.fed_through, isLast: readers.length < limit },
  )
  return written.length
}

async function withPhrases(
  db: Tx,
  { keys }: Pick<Services, 'keys'>,
  readers: readonly (Reader & { mail_id?: string })[],
): Promise<ReaderWithPhrase[]> {
  const phrases = await findAntiPhishingPhrasesOf(
    db,
    keys,
    readers.map(({ email }) => email),
  )
  return readers.map((reader) => ({ ...reader, phrase: phrases.get(reader.email) }))
}

async function removeRefusing({ db, log }: WorkerServices): Promise<void> {
  const ids = await listRefusing(db)
  for (const id of ids) await transaction(db, (db) => endSubscription(db, id, 'bounced'))
  if (ids.length > 0)
    log.info({ count: ids.length }, 'subscribers whose mailboxes reject email were unsubscribed')
}
