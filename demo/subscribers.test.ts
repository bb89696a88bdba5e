import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startMailServer } from '#tests/setup/mail-server.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { startMailWorker } from '#api/platform/mail/mail-worker.ts'
import { seedDemo } from '#demo/seed-demo.ts'
import { mailNews } from '#api/publishing/newsletter/queue-issues.ts'

test('posts have gone to subscribers, and no mail server is asked for a sample one when the next is published', async () => {
  const { services, call } = await startApi()
  const { db } = services
  Object.assign(services.config, { isDemo: true, hasDemoWorld: true })
  const { email, password } = (await seedDemo(services)).find(({ title }) => title === 'news 2')!
  const { token } = (await call(api.signIn, { body: { email, password } })).body as { token: string }
  const editor = { token }
  const post = await db
    .selectFrom('announcement')
    .select('id')
    .where('state', '=', 'published')
    .orderBy('posted_at', 'desc')
    .executeTakeFirstOrThrow()
  const shown = await call(api.readPostMail, { params: { id: post.id } }, editor)
  const { progress, subscribers } = shown.body
  expect(progress!.sent).toBeGreaterThan(0)
  expect(progress!.sent + progress!.failed).toBe(progress!.queued)
  expect(subscribers.length).toBeGreaterThan(1)

  const server = await startMailServer()
  const worker = startMailWorker(services, server.url)
  onTestFinished(async () => {
    await worker.stop()
    await server.close()
  })
  await mailNews(services)
  expect(await db.selectFrom('newsletter_mail').select('mail_id').execute()).toEqual([])
  const body = {
    title: 'Published in a demo',
    category: 'News',
    language: 'en' as const,
    content: '<p>Now.</p>',
  }
  expect((await call(api.createAnnouncement, { body }, editor)).status).toBe(201)
  await mailNews(services)
  const outcomes = async () =>
    db
      .selectFrom('newsletter_mail')
      .innerJoin('mail', 'mail.id', 'mail_id')
      .select(['mail.state', 'last_error'])
      .distinct()
      .execute()
  worker.wake()
  await expect.poll(outcomes).toEqual([{ state: 'failed', last_error: 'ENOTFOUND' }])
  expect(server.received).toEqual([])
})
