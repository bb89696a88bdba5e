import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { aNewsroom, inTime } from '#tests/newsroom.ts'
import { aReader, anIp } from '#tests/newsletter.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { startMailServer } from '#tests/setup/mail-server.ts'
import { publishWhatIsDue } from '../announcements/newsroom/publish-worker.ts'
import { extendClaim, markMailFailed, postponeMail } from '../../platform/mail/mail.queries.ts'
import { startMailWorker } from '../../platform/mail/mail-worker.ts'
import { mailNews, waitingMax } from './queue-issues.ts'

/** The highest rate that the settings allow. */
const fast = { NEWSLETTER_PER_MINUTE: '60000' }
const started = await startApi(fast, afterAll)
const { call, services, mailsTo } = started
const { db } = services
const { create, remove, call: edit } = await aNewsroom(started)

/** The worker comes late, so the pace allows a whole burst. */
async function mailAll(on: TestApi = started): Promise<void> {
  await db
    .updateTable('newsletter_pace')
    .set({ fed_at: new Date(Date.now() - DAY) })
    .execute()
  await mailNews(on.services)
}

const newsTo = async (email: string) =>
  (await mailsTo(email)).filter(({ kind }) => kind.startsWith('news-')).map(({ subject }) => subject)

const about = (title: string) => expect.stringContaining(title) as string

test('sends a post once to each matching reader, with the key that signed it', async () => {
  const wants = await aReader(started)
  const [other, cn, weekly] = [
    await aReader(started, { categories: ['Events'] }),
    await aReader(started, { language: 'cn' }),
    await aReader(started, { rhythm: 'weekly' }),
  ]
  const post = await create({ title: 'A post for all', category: 'News', content: '<p>What it says.</p>' })
  await mailAll()
  await mailAll()
  expect(await newsTo(wants.email)).toEqual([about('A post for all')])
  for (const { email } of [other, cn, weekly]) expect(await newsTo(email)).toEqual([])
  const mail = (await mailsTo(wants.email)).at(-1)!
  const [key] = (await call(api.listSigningKeys, {})).body
  expect(mail.text).toContain(key!.keyId)
  for (const part of [
    'What it says.',
    `/news/${post.slug}`,
    '/verify-a-post.txt',
    `/newsletter/manage#${wants.token}`,
  ])
    expect(mail.text).toContain(part)

  // Not again when it is edited, unpublished, published, restored from the trash.
  await edit(api.updateAnnouncement, {
    body: { _id: post._id, title: 'Another title', category: 'News', language: 'en', content: '<p>New</p>' },
  })
  await mailAll()
  await edit(api.unpublishPost, { params: { id: post._id }, body: {} })
  await edit(api.publishPost, { params: { id: post._id }, body: {} })
  await mailAll()
  await remove(post._id)
  await edit(api.restorePost, { params: { id: post._id }, body: {} })
  await mailAll()
  expect(await newsTo(wants.email)).toHaveLength(1)
})

test('sends a scheduled post on time, and an imported one to no one', async () => {
  const reader = await aReader(started)
  const post = await create({ title: 'Scheduled one', category: 'News', status: 'scheduled', ...inTime(DAY) })
  const taken = await create({ title: 'Taken over', category: 'News', status: 'draft' })
  await mailAll()
  expect(await newsTo(reader.email)).toEqual([])
  await db
    .updateTable('announcement')
    .set({ publish_at: new Date(Date.now() - 1000) })
    .where('id', '=', post._id)
    .execute()
  await publishWhatIsDue(services)
  const before = new Date(Date.now() - DAY / 2)
  await sql`update newsletter_pace set since = now() - interval '9 days'`.execute(db)
  await sql`update announcement_version set published_at = ${before} where announcement_id = ${taken._id}`.execute(
    db,
  )
  await sql`update announcement set state = 'published', posted_at = ${before}, is_taken_over = true
    where id = ${taken._id}`.execute(db)
  await mailAll()
  expect(await newsTo(reader.email)).toEqual([about('Scheduled one')])
})

test('two instances that find and queue the same post create one email each', async () => {
  const other = await startAnotherInstance(started)
  const readers = await Promise.all(Array.from({ length: 12 }, () => aReader(started)))
  await create({ title: 'Found by two', category: 'News' })
  await Promise.all([mailAll(), mailAll(other), mailAll(), mailAll(other)])
  await mailAll()
  for (const { email } of readers) expect(await newsTo(email)).toEqual([about('Found by two')])
})

test('unsubscribing stops a waiting email, and a later subscriber gets the next issue', async () => {
  const [leaves, stays] = [await aReader(started), await aReader(started)]
  const post = await create({ title: 'Leaving', category: 'News' })
  // The post was found, but its emails are not written yet.
  await db
    .updateTable('newsletter_pace')
    .set({ fed_at: new Date(Date.now() + DAY) })
    .execute()
  await mailNews(services)
  const late = await aReader(started)
  await mailAll()
  await call(api.unsubscribeFromNews, { body: { token: leaves.token } }, { ip: anIp() })
  const states = await db
    .selectFrom('mail')
    .select(['to_address', 'state', 'sealed_message'])
    .where('kind', '=', 'news-post')
    .where('to_address', 'in', [leaves.email, stays.email, late.email])
    .orderBy('created_at', 'desc')
    .execute()
  expect(states.map(({ to_address, state }) => [to_address, state]).toSorted()).toEqual(
    [
      [leaves.email, 'stopped'],
      [stays.email, 'waiting'],
    ].toSorted(),
  )
  expect(states.find(({ state }) => state === 'stopped')!.sealed_message).toBeNull()
  await mailAll()
  const shown = await edit(api.readPostMail, { params: { id: post._id } })
  expect(shown.body.progress).toMatchObject({ isQueued: true, stopped: 1 })
})

test('unsubscribing during an attempt or after a failure stops all further emails', async () => {
  const readers = await Promise.all([1, 2, 3].map(() => aReader(started)))
  await create({ title: 'In hand', category: 'News' })
  await mailAll()
  const mailOf = ({ email }: { email: string }) =>
    db
      .selectFrom('mail')
      .select(['id', 'state', 'attempts', 'sealed_message'])
      .where('kind', '=', 'news-post')
      .where('to_address', '=', email)
      .executeTakeFirstOrThrow()
  const [later, never, failed] = await Promise.all(readers.map(mailOf))
  const set = (ids: string[], change: object) =>
    db.updateTable('mail').set(change).where('id', 'in', ids).execute()
  await set([later!.id, never!.id], { attempts: 1, claimed_until: new Date(Date.now() + DAY) })
  await set([failed!.id], { attempts: 1, state: 'failed' })
  for (const { token } of readers) await call(api.unsubscribeFromNews, { body: { token } }, { ip: anIp() })
  const claim = { id: later!.id, attempts: 1 }
  expect(await extendClaim(db, claim, DAY)).toBe(false)
  await postponeMail(db, claim, 0, { error: '451' })
  await markMailFailed(db, { id: never!.id, attempts: 1 }, { error: '550' }, { isErased: false })
  const after = await Promise.all(readers.map(mailOf))
  expect(after.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'failed'])
  expect(after.map((mail) => mail.sealed_message)).toEqual([null, null, null])
})

test('an unpublished post is emailed to no one else until it is public again', async () => {
  const reader = await aReader(started)
  const post = await create({ title: 'Taken back', category: 'News' })
  await db
    .updateTable('newsletter_pace')
    .set({ fed_at: new Date(Date.now() + DAY) })
    .execute()
  await mailNews(services)
  await edit(api.unpublishPost, { params: { id: post._id }, body: {} })
  await mailAll()
  expect(await newsTo(reader.email)).toEqual([])
  await edit(api.publishPost, { params: { id: post._id }, body: {} })
  await mailAll()
  expect(await newsTo(reader.email)).toEqual([about('Taken back')])
})

test('a post withdrawn days ago keeps no instance busy and is emailed to no one else', async () => {
  const reader = await aReader(started)
  const [back, gone] = [
    await create({ title: 'Long gone', category: 'News' }),
    await create({ title: 'Deleted', category: 'News' }),
  ]
  const late = () =>
    db
      .updateTable('newsletter_pace')
      .set({ fed_at: new Date(Date.now() + DAY) })
      .execute()
  await late()
  const busy = await mailNews(services)
  await edit(api.unpublishPost, { params: { id: back._id }, body: {} })
  await db.deleteFrom('announcement').where('id', '=', gone._id).execute()
  expect(await mailNews(services)).toBeGreaterThan(busy)
  const open = () =>
    db.selectFrom('newsletter_issue').select('announcement_id').where('fed_at', 'is', null).execute()
  expect(await open()).toEqual([{ announcement_id: back._id }])
  await db
    .updateTable('announcement')
    .set({ changed_at: new Date(Date.now() - 4 * DAY) })
    .where('id', '=', back._id)
    .execute()
  await mailNews(services)
  expect(await open()).toEqual([])
  await edit(api.publishPost, { params: { id: back._id }, body: {} })
  await mailAll()
  expect(await newsTo(reader.email)).toEqual([])
})

test('newsletters have unsubscribe headers, go last, and drop missing mailboxes', async () => {
  const own = await startApi(fast)
  const newsroom = await aNewsroom(own)
  const [reader, gone] = [await aReader(own), await aReader(own)]
  await own.services.db.deleteFrom('mail').execute()
  const server = await startMailServer()
  onTestFinished(() => server.close())
  server.refuseWith = (to) => (to === gone.email ? '550 5.1.1' : undefined)
  await newsroom.create({ title: 'With headers', category: 'News' })
  await own.services.db
    .updateTable('newsletter_pace')
    .set({ fed_at: new Date(Date.now() - DAY) })
    .execute()
  await mailNews(own.services)
  await own.call(api.requestPasswordReset, { body: { email: newsroom.editor.email } })
  const worker = startMailWorker(own.services, server.url)
  onTestFinished(() => worker.stop())
  await expect.poll(() => server.received.length).toBe(2)
  const sent = server.received.find(({ recipients }) => recipients[0] === reader.email)!
  const header = (name: string) =>
    sent.mail.headers.find(({ key }) => key === name)?.value.replaceAll(/\s+/g, '')
  const { origin, hostname } = own.services.config.publicUrl
  expect(header('list-unsubscribe')).toBe(`<${origin}/newsletter/one-click/${reader.token}>`)
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(header('list-id')).toContain(`<news.${hostname}>`)
  expect(header('precedence')).toBe('bulk')
  await expect
    .poll(async () => {
      await mailNews(own.services)
      return own.services.db
        .selectFrom('subscriber')
        .select(['state', 'ended_by'])
        .where('email', '=', gone.email)
        .executeTakeFirst()
    })
    .toEqual({ state: 'ended', ended_by: 'bounced' })
  const issue = await own.services.db.selectFrom('newsletter_issue').selectAll().executeTakeFirstOrThrow()
  expect(issue).toMatchObject({ queued: 2, sent: 1, failed: 1, stopped: 0 })
})

test('limits newsletters in the outbox, and the rate over all instances', async () => {
  const own = await startApi({ NEWSLETTER_PER_MINUTE: '120' })
  const newsroom = await aNewsroom(own)
  await sql`insert into subscriber (email, state, language, categories, rhythm, link_secret, consented_at)
    select 'reader' || n || '@example.org', 'active', 'en', '{News}', 'each', 'x', now() - interval '1 day'
    from generate_series(1, 500) n`.execute(own.services.db)
  await newsroom.create({ title: 'To many', category: 'News' })
  const waiting = async () =>
    Number(
      (
        await own.services.db
          .selectFrom('mail')
          .select(sql<string>`count(*)`.as('count'))
          .where('kind', '=', 'news-post')
          .executeTakeFirstOrThrow()
      ).count,
    )
  const late = () =>
    own.services.db
      .updateTable('newsletter_pace')
      .set({ fed_at: new Date(Date.now() - DAY) })
      .execute()
  await late()
  await mailNews(own.services)
  // A twelfth of the rate per minute, however late the worker is.
  expect(await waiting()).toBe(10)
  own.services.config.newsletterPerMinute = 60_000
  await late()
  await mailNews(own.services)
  await late()
  await mailNews(own.services)
  expect(await waiting()).toBe(waitingMax)
  // Mailboxes that respond with "try later" don't delay others.
  await own.services.db
    .updateTable('mail')
    .set({ attempts: 4, next_try_at: new Date(Date.now() + DAY) })
    .where('kind', '=', 'news-post')
    .execute()
  for (let round = 0; round < 3; round += 1) {
    await late()
    await mailNews(own.services)
  }
  expect(await waiting()).toBe(2 * waitingMax)
})
