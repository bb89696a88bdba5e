import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import { listMailedPosts, listPostsOfDigest } from './digest.queries.ts'
import type { IssueRow, MailedPost } from './issue.queries.ts'
import { listOwed, listOwedPosts, recordReappearedPayment, recordOwed } from './owed-post.queries.ts'
import { writeDigestMail, type ReaderWithPhrase } from './write-news.ts'

/**
 * Nobody gets an empty digest: each reader gets the posts they want and were not emailed singly. Posts that are
 * not public now are owed to them, and go into the next digest once they are.
 */
export async function writeDigests(
  db: Tx,
  needs: Pick<Services, 'keys' | 'config'>,
  issue: IssueRow,
  readers: readonly ReaderWithPhrase[],
) {
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
  return readers.map((reader, at) => {
    const posts = theirs[at]!.filter(({ state }) => state === 'published')
    return posts.length === 0 ? undefined : writeDigestMail(needs, { posts, since: issue.from_at! }, reader)
  })
}
