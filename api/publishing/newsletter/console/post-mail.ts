import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { announceChange } from '../../../platform/db/changes.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { renderMail } from '../../../platform/mail/render-mail.ts'
import { insertMail } from '../../../platform/mail/mail.queries.ts'
import { writeMail } from '../../../platform/mail/send-mail.ts'
import { getMemberById } from '../../../people/members/member.queries.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../../platform/refused.ts'
import type { Services } from '../../../platform/services.ts'
import { newsPageLink } from '../../../platform/site-links.ts'
import { findPostToMail, findProgress, type MailedPost } from '../issue.queries.ts'
import { countSubscribers } from '../subscriber.queries.ts'
import { richOfPost, valuesOfPost } from '../write-news.ts'

/** Links that are specific to a reader lead to the public page here. */
const previewValues = ({ config }: Pick<Services, 'config'>, post: MailedPost) =>
  valuesOfPost({ config }, post, newsPageLink(config))

async function getPost(db: Tx, id: string): Promise<MailedPost> {
  const post = await findPostToMail(db, id)
  if (!post) throw new Refused('not_found')
  return post
}

export const readPostMail: Handler<typeof api.readPostMail> = async ({ params }, context) => {
  const { db } = context
  const post = await getPost(db, params.id)
  const counts = await countSubscribers(db)
  const readersOf = (rhythm: 'each' | 'weekly') =>
    counts.find(
      (row) => row.language === post.language && row.category === post.category && row.rhythm === rhythm,
    )?.count ?? 0
  const byCategory = Map.groupBy(counts, ({ language, category }) => `${language} ${category}`)
  const progress = await findProgress(db, post.id)
  return {
    mail: renderMail('news-post', post.language, previewValues(context, post), {
      look: 'frame',
      rich: richOfPost(context, post),
    }),
    readers: { each: readersOf('each'), weekly: readersOf('weekly') },
    subscribers: [...byCategory.values()].map((rows) => ({
      language: rows[0]!.language,
      category: rows[0]!.category,
      count: rows.reduce((sum, { count }) => sum + count, 0),
    })),
    progress: progress
      ? {
          startedAt: progress.created_at.toISOString(),
          isQueued: progress.fed_at !== null,
          queued: progress.queued,
          sent: progress.sent,
          failed: progress.failed,
          stopped: progress.stopped,
        }
      : null,
  }
}

const testsMax = 5

/** Sent through the outbox to the editor’s own address. */
export const testPostMail: Handler<typeof api.testPostMail> = async ({ params }, context) => {
  const { db, keys, caller } = context
  const post = await getPost(db, params.id)
  await requireWithinLimits(db, keys, [
    { key: `test of news ${caller.memberId}`, max: testsMax, window: 15 * MINUTE },
  ])
  const { email } = await getMemberById(db, caller.memberId)
  await transaction(db, async (db) => {
    const reader = { email, language: post.language }
    const rich = richOfPost(context, post)
    await insertMail(
      db,
      await writeMail(db, keys, reader, { kind: 'news-post', values: previewValues(context, post), rich }),
    )
    await announceChange(db, 'mail')
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'announcement-mail-tested',
      subjectKind: 'announcement',
      subjectId: post.id,
    })
  })
  return { to: email }
}
