import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { aPicture } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { aReader, anIp, choice } from '#tests/newsletter.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { readPicture } from '../pictures/store-picture.ts'
import { mailNews } from './queue-issues.ts'

const started = await startApi({ NEWSLETTER_PER_MINUTE: '60000' }, afterAll)
const { call, services, mailsTo } = started
const { db } = services
const { create, call: edit } = await aNewsroom(started)

/** Simulates a digest that was due within the hour. */
const due = new Date(Math.floor((Date.now() - 2 * MINUTE) / HOUR) * HOUR)
services.config.digestTime = { day: due.getUTCDay() || 7, hour: due.getUTCHours(), zone: 'UTC' }

beforeEach(async () => {
  await db.deleteFrom('newsletter_issue').execute()
  await db.deleteFrom('announcement').execute()
})

const since = (fields: { since?: Date; fed_at?: Date }) =>
  db.updateTable('newsletter_pace').set(fields).execute()

async function mailAll(): Promise<void> {
  await since({ since: new Date(due.getTime() - 60 * DAY), fed_at: new Date(Date.now() - DAY) })
  await mailNews(services)
}

const digestsTo = async (email: string) =>
  (await mailsTo(email)).filter(({ kind }) => kind === 'news-digest').map(({ text }) => text)

async function aPost(title: string, age: number, category: 'News' | 'Events' = 'News') {
  const post = await create({ title, category })
  await db
    .updateTable('announcement')
    .set({ posted_at: new Date(due.getTime() - age) })
    .where('id', '=', post._id)
    .execute()
  return post._id
}

async function letAWeekPass(): Promise<void> {
  const week = sql<Date>`interval '7 days'`
  await db
    .updateTable('newsletter_issue')
    .set({ from_at: sql`from_at - ${week}`, until_at: sql`until_at - ${week}` })
    .execute()
  await db
    .updateTable('announcement')
    .set({ posted_at: sql`posted_at - ${week}` })
    .execute()
  await db
    .updateTable('subscriber')
    .set({ left_weekly_at: sql`left_weekly_at - ${week}` })
    .execute()
}

test('a post withdrawn when the digest was created is in the next one, and in no two', async () => {
  const reader = await aReader(started, { rhythm: 'weekly' })
  await aPost('Stays public', HOUR)
  const id = await aPost('Taken back', 2 * HOUR)
  await edit(api.unpublishPost, { params: { id }, body: {} })
  await mailAll()
  await mailAll()
  await edit(api.publishPost, { params: { id }, body: {} })
  await letAWeekPass()
  await mailAll()
  const digests = await digestsTo(reader.email)
  expect(digests).toHaveLength(2)
  expect(digests.map((text) => [text.includes('Stays public'), text.includes('Taken back')])).toEqual([
    [true, false],
    [false, true],
  ])
  // Nothing new: no digest.
  await letAWeekPass()
  await mailAll()
  expect(await digestsTo(reader.email)).toHaveLength(2)
})

test('posts that do not fit into a digest are in the next one', async () => {
  const reader = await aReader(started, { rhythm: 'weekly', categories: ['Events'] })
  await sql`
    with post as (insert into announcement (slug, title, category, language, content, content_summary, posted_at)
      select 'many-' || n, 'Many', 'News', 'en', '', '', ${due}::timestamptz - interval '3 days' from generate_series(1, 59) n
      returning *)
    insert into announcement_version (announcement_id, n, title, category, language, content, published_at)
    select id, 1, title, category, language, content, now() from post`.execute(db)
  await aPost('Had room', 2 * HOUR, 'Events')
  await aPost('The newest', HOUR, 'Events')
  await mailAll()
  await letAWeekPass()
  await mailAll()
  const digests = await digestsTo(reader.email)
  expect(digests.map((text) => [text.includes('Had room'), text.includes('The newest')])).toEqual([
    [true, false],
    [false, true],
  ])
})

test('switching to single posts includes the week’s earlier posts once', async () => {
  const [reader, always] = [await aReader(started, { rhythm: 'weekly' }), await aReader(started)]
  await aPost('While weekly', 3 * HOUR)
  await mailAll()
  // The digest of this hour is not due yet.
  await db.deleteFrom('newsletter_issue').where('rhythm', '=', 'weekly').execute()
  await db
    .deleteFrom('newsletter_mail')
    .where('subscriber_id', 'in', sql<string>`(select id from subscriber where email = ${reader.email})`)
    .execute()
  await db.deleteFrom('mail').where('to_address', '=', reader.email).execute()
  const changed = await call(
    api.changeSubscription,
    { body: { token: reader.token, ...choice({ rhythm: 'each' }) } },
    { ip: anIp() },
  )
  expect(changed.status).toBe(200)
  await db
    .updateTable('subscriber')
    .set({ left_weekly_at: new Date(due.getTime() - 2 * HOUR) })
    .where('email', '=', reader.email)
    .where('left_weekly_at', 'is not', null)
    .execute()
  await aPost('Since then', HOUR)
  await mailAll()
  const digests = await digestsTo(reader.email)
  expect(digests.map((text) => [text.includes('While weekly'), text.includes('Since then')])).toEqual([
    [true, false],
  ])
  expect(
    (await mailsTo(reader.email)).filter(({ kind }) => kind === 'news-post').map(({ subject }) => subject),
  ).toEqual([expect.stringContaining('Since then')])
  expect(await digestsTo(always.email)).toEqual([])
  await letAWeekPass()
  await aPost('Much later', HOUR)
  await mailAll()
  expect(await digestsTo(reader.email)).toEqual([digests[0]])
})

test('a post withdrawn while its digest is sent is in the next one for remaining readers', async () => {
  const [had, without, apart] = await Promise.all([1, 2, 3].map(() => aReader(started, { rhythm: 'weekly' })))
  await aPost('Stays public', HOUR)
  const id = await aPost('Taken back meanwhile', 2 * HOUR)
  await mailAll()
  const taken = (email: string) =>
    db
      .updateTable('mail')
      .set({ state: 'sent', sent_at: new Date(), sealed_message: null })
      .where('to_address', '=', email)
      .execute()
  const told = async (email: string) => (await digestsTo(email)).at(-1)!
  expect(await told(had!.email)).toContain('Taken back meanwhile')
  // Two emails are still in the outbox: they are rewritten without the post.
  await taken(had!.email)
  await edit(api.unpublishPost, { params: { id }, body: {} })
  await mailAll()
  for (const { email } of [without!, apart!]) {
    expect(await digestsTo(email)).toEqual([expect.not.stringContaining('Taken back meanwhile')])
    expect(await told(email)).toContain('Stays public')
    await taken(email)
  }
  await edit(api.publishPost, { params: { id }, body: {} })
  await letAWeekPass()
  await mailAll()
  await mailAll()
  for (const { email } of [without!, apart!])
    expect(await digestsTo(email)).toEqual([expect.stringContaining('Taken back meanwhile')])
  await letAWeekPass()
  await mailAll()
  const count = await db
    .selectFrom('mail')
    .select(['to_address'])
    .where('kind', '=', 'news-digest')
    .where('to_address', 'in', [had!.email, without!.email, apart!.email])
    .execute()
  expect(count.map(({ to_address }) => to_address).toSorted()).toEqual(
    [had!.email, without!.email, without!.email, apart!.email, apart!.email].toSorted(),
  )
})

test('a post emailed singly is in no digest, even after the email was deleted', async () => {
  const [had, weekly] = [await aReader(started), await aReader(started, { rhythm: 'weekly' })]
  const id = await aPost('A month ago', HOUR)
  await db
    .updateTable('newsletter_pace')
    .set({ since: new Date(0), fed_at: new Date(Date.now() - DAY) })
    .execute()
  await mailAll()
  // Withdrawn when its digest was created.
  await db.deleteFrom('newsletter_issue').where('rhythm', '=', 'weekly').execute()
  await db.deleteFrom('mail').where('kind', '=', 'news-digest').execute()
  const monthAgo = new Date(Date.now() - 31 * DAY)
  await db
    .updateTable('mail')
    .set({ state: 'sent', created_at: monthAgo })
    .where('to_address', '=', had.email)
    .execute()
  await db.updateTable('announcement').set({ posted_at: monthAgo }).where('id', '=', id).execute()
  await cleanUp(services)
  expect(await mailsTo(had.email)).toEqual([])
  const change = { token: had.token, ...choice({ rhythm: 'weekly' }) }
  expect((await call(api.changeSubscription, { body: change }, { ip: anIp() })).status).toBe(200)
  await mailAll()
  expect(await digestsTo(weekly.email)).toEqual([expect.stringContaining('A month ago')])
  expect(await digestsTo(had.email)).toEqual([])
  const remembered = db.selectFrom('newsletter_mail').select('mail_id')
  expect(await remembered.execute()).not.toEqual([])
  await db
    .updateTable('newsletter_issue')
    .set({ fed_at: new Date(Date.now() - 71 * DAY) })
    .execute()
  await cleanUp(services)
  expect(await remembered.execute()).toEqual([])
})

/** Makes a post part of the digest that is due, and returns the picture in the email about it. */
async function pictureInDigest(
  email: string,
  postId: string,
): Promise<{ html: string; name: string; alt: string }> {
  await db
    .updateTable('announcement')
    .set({ posted_at: new Date(due.getTime() - HOUR) })
    .where('id', '=', postId)
    .execute()
  await mailAll()
  const [mail] = (await mailsTo(email)).filter(({ kind }) => kind === 'news-digest')
  const [, address = '', alt = ''] = /<img src="(https?:[^"]+)" alt="([^"]*)"/.exec(mail!.html) ?? []
  return { html: mail!.html, name: address.slice(address.lastIndexOf('/') + 1), alt }
}

test('a digest shows the first picture of a post in the ratio of all digests, as a file that email clients can read', async () => {
  const reader = await aReader(started, { rhythm: 'weekly' })
  const tall = await aPicture('png', { width: 300, height: 900 })
  const { _id } = await create({
    title: 'With a picture',
    category: 'News',
    content: `<p>The first words.</p><p><img src="${tall}" alt="A tall chart"></p>`,
  })
  const { html, name, alt } = await pictureInDigest(reader.email, _id)
  expect(alt).toBe('A tall chart')
  expect(html).toContain('The first words.')
  const { format, width, height } = await sharp(await readPicture(services.files, name)).metadata()
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1036, height: 583 })
})

test('a digest shows the picture that an editor chose for the card instead of the first one', async () => {
  const reader = await aReader(started, { rhythm: 'weekly' })
  const inText = await aPicture('png', { width: 310, height: 200 })
  const { body: card } = await edit(api.uploadPicture, {
    body: { picture: await aPicture('png', { width: 320, height: 200 }) },
  })
  const { _id } = await create({
    title: 'With a card',
    category: 'News',
    content: `<p>Words.</p><p><img src="${inText}" alt="In the text"></p>`,
    card: { src: card.src, alt: 'On the card' },
  })
  const { name, alt } = await pictureInDigest(reader.email, _id)
  expect(alt).toBe('On the card')
  expect(card.src).toContain(name.replace('-mail.jpg', '-'))
  expect(await readPicture(services.files, name)).toBeDefined()
})
