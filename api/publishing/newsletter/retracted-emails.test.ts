import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { aReader, anIp, type Reader } from '#tests/newsletter.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { extendClaim, markMailSent } from '../../platform/mail/mail.queries.ts'
import { mailNews } from './queue-issues.ts'

const started = await startApi({ NEWSLETTER_PER_MINUTE: '60000' }, afterAll)
const { call, services, mailsTo } = started
const { db } = services
const { create, remove, call: edit } = await aNewsroom(started)

async function mailAll(on: TestApi = started): Promise<void> {
  await db
    .updateTable('newsletter_pace')
    .set({ fed_at: new Date(Date.now() - DAY) })
    .execute()
  await mailNews(on.services)
}

const mailsOf = ({ email }: Reader) =>
  db
    .selectFrom('mail')
    .select(['id', 'state', 'attempts', 'sealed_message'])
    .where('kind', '=', 'news-post')
    .where('to_address', '=', email)
    .execute()
const mailOf = async (reader: Reader) => (await mailsOf(reader))[0]!
const set = async (reader: Reader, change: object) =>
  void (await db
    .updateTable('mail')
    .set(change)
    .where('id', '=', (await mailOf(reader)).id)
    .execute())
const unpublish = (id: string) => edit(api.unpublishPost, { params: { id }, body: {} })
const publish = (id: string) => edit(api.publishPost, { params: { id }, body: {} })
const change = (_id: string, title: string) =>
  edit(api.updateAnnouncement, {
    body: { _id, title, category: 'News', language: 'en', content: '<p>Corrected</p>' },
  })

test('waiting emails of a withdrawn post are not sent, and go out once when it is public again', async () => {
  const [waits, had, failed, stopped, leaves, fails] = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() => aReader(started)),
  )
  const other = await startAnotherInstance(started)
  const post = await create({ title: 'With a mistake', category: 'News' })
  await mailAll()
  await set(had!, { state: 'sent', sent_at: new Date(), sealed_message: null })
  await set(failed!, { state: 'failed', attempts: 1 })
  await set(stopped!, { state: 'stopped' })
  await set(fails!, { attempts: 4, next_try_at: new Date(Date.now() + DAY), last_error: '451' })
  expect((await unpublish(post._id)).status).toBe(200)
  await mailAll()
  for (const reader of [waits!, leaves!, fails!, failed!, stopped!])
    expect(await mailOf(reader)).toMatchObject({ sealed_message: null })
  for (const reader of [waits!, leaves!, fails!]) expect((await mailOf(reader)).state).toBe('stopped')
  await call(api.unsubscribeFromNews, { body: { token: leaves!.token } }, { ip: anIp() })
  await change(post._id, 'Without a mistake')
  await publish(post._id)
  await Promise.all([mailAll(), mailAll(other), mailAll()])
  await mailAll()
  for (const reader of [waits!, fails!]) {
    expect(await mailsOf(reader)).toMatchObject([{ state: 'waiting' }])
    expect((await mailsTo(reader.email)).at(-1)!.subject).toContain('Without a mistake')
  }
  const states = await Promise.all([had!, failed!, stopped!, leaves!].map(mailsOf))
  expect(states.map((mails) => mails.map(({ state }) => state))).toEqual([
    ['sent'],
    ['failed'],
    ['stopped'],
    ['stopped'],
  ])
  const { progress } = (await edit(api.readPostMail, { params: { id: post._id } })).body
  expect(progress).toMatchObject({ isQueued: true, queued: 6, sent: 1, failed: 1, stopped: 2 })
})

test('does not rewrite an email that a server accepted while its post was withdrawn', async () => {
  const [taken, refused] = [await aReader(started), await aReader(started)]
  const post = await create({ title: 'In hand', category: 'News' })
  await mailAll()
  for (const reader of [taken, refused])
    await set(reader, { attempts: 1, tries: '[{}]', claimed_until: new Date(Date.now() + DAY) })
  await remove(post._id)
  const claims = [
    { ...(await mailOf(taken)), attempts: 1 },
    { ...(await mailOf(refused)), attempts: 1 },
  ] as const
  // The server has not asked for it yet: it is no longer sent.
  expect(await extendClaim(db, claims[1], DAY)).toBe(false)
  await edit(api.restorePost, { params: { id: post._id }, body: {} })
  await mailAll()
  // The outcome is still unknown.
  expect(await mailsOf(taken)).toMatchObject([{ state: 'stopped' }])
  await markMailSent(db, claims[0])
  await set(refused, { claimed_until: null })
  await mailAll()
  expect(await mailsOf(taken)).toMatchObject([{ state: 'sent' }])
  expect(await mailsOf(refused)).toMatchObject([{ state: 'waiting' }])
})

test('a post that is public again only after days is emailed to no further readers', async () => {
  const reader = await aReader(started)
  const post = await create({ title: 'Days later', category: 'News' })
  await mailAll()
  await unpublish(post._id)
  await mailAll()
  await sql`update announcement set changed_at = now() - interval '4 days' where id = ${post._id}`.execute(db)
  await mailAll()
  await publish(post._id)
  await mailAll()
  expect(await mailsOf(reader)).toMatchObject([{ state: 'stopped' }])
})
