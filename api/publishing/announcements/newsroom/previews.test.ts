import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { aPost } from '#tests/builders.ts'
import { aNewsroom, inTime } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { call, create, remove } = await aNewsroom(started)

const make = async (id: string) => (await call(api.createPreview, { params: { id }, body: {} })).body
const end = (id: string) => call(api.endPreview, { params: { id } })
const readPreview = (token: string, ip = '192.0.2.50') =>
  started.call(api.readPreview, { params: { token } }, { ip })

test('anyone with the link can read the current post for seven days', async () => {
  const moment = inTime(HOUR)
  const post = await create({ title: 'Soon', status: 'scheduled', ...moment })
  const { token, expiresAt } = await make(post._id)
  expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * DAY)).toBeLessThan(MINUTE)
  const seen = await readPreview(token)
  expect(seen.body).toEqual({ post, state: 'scheduled', ...moment })
  expect(seen.headers['cache-control']).toBe('no-store')
  await call(api.updateAnnouncement, { body: { ...aPost({ title: 'Sooner' }), _id: post._id } })
  expect((await readPreview(token)).body.post.title).toBe('Sooner')
  await call(api.publishPost, { params: { id: post._id }, body: {} })
  expect((await readPreview(token)).body).toMatchObject({ state: 'published', publishAt: null, zone: null })
  const set = { preview_until: new Date(Date.now() - 1) }
  await services.db.updateTable('announcement').set(set).where('id', '=', post._id).execute()
  expect(await readPreview(token)).toMatchObject({ status: 404, problem: { code: 'not_found' } })
})

test('a link ends when revoked, replaced, or with the post', async () => {
  const { _id } = await create({ status: 'draft' })
  const first = await make(_id)
  const second = await make(_id)
  expect(second.token).not.toBe(first.token)
  expect([(await readPreview(first.token)).status, (await readPreview(second.token)).status]).toEqual([
    404, 200,
  ])
  expect((await end(_id)).body).toEqual({ ended: true })
  expect((await readPreview(second.token)).status).toBe(404)
  expect((await end(_id)).status).toBe(200)
  const third = await make(_id)
  await remove(_id)
  expect((await readPreview(third.token)).status).toBe(404)
  await call(api.restorePost, { params: { id: _id }, body: {} })
  expect((await readPreview(third.token)).status).toBe(404)
  const actions = await services.db
    .selectFrom('audit_entry')
    .select('action')
    .where('subject_id', '=', _id)
    .where('action', 'like', 'announcement-preview%')
    .orderBy('id')
    .execute()
  expect(actions.map(({ action }) => action)).toEqual([
    'announcement-preview-made',
    'announcement-preview-made',
    'announcement-preview-ended',
    'announcement-preview-ended',
    'announcement-preview-made',
  ])
})

test('the database stores no link, and guesses find nothing', async () => {
  const { _id } = await create({ status: 'draft' })
  const { token } = await make(_id)
  const { preview_hash } = await services.db
    .selectFrom('announcement')
    .select('preview_hash')
    .where('id', '=', _id)
    .executeTakeFirstOrThrow()
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(preview_hash).not.toContain(token)
  const guesses = [preview_hash!, _id, token.slice(1), `${token}x`, 'null']
  expect(
    new Set((await Promise.all(guesses.map((guess) => readPreview(guess)))).map(({ status }) => status)),
  ).toEqual(new Set([404]))
})

test('missing and trashed posts have no preview', async () => {
  const { _id } = await create()
  await remove(_id)
  for (const id of [_id, 'nothing']) {
    expect((await call(api.createPreview, { params: { id }, body: {} })).status).toBe(404)
    expect((await end(id)).status).toBe(404)
  }
})

test('limits one client without affecting others', async () => {
  const { _id } = await create({ status: 'draft' })
  const { token } = await make(_id)
  const statuses: number[] = []
  for (let n = 0; n < 210; n += 1) statuses.push((await readPreview('guess', '192.0.2.66')).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
  expect((await readPreview(token, '192.0.2.66')).status).toBe(429)
  expect((await readPreview(token)).status).toBe(200)
})
