import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Picture } from '#contract/publishing/announcements.ts'
import { aPicture, aPost } from '#tests/builders.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { transaction } from '../../platform/db/database.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { holdPictures, removeUnusedPictures } from './picture.queries.ts'
import { readPicture, storePicture } from './store-picture.ts'

const started = await startApi({}, afterAll)
const { services } = started
const { db } = services
const news = await aNewsroom(started)

let size = 40
/** Each picture is different; otherwise it would be stored once. */
const upload = async (picture?: string): Promise<Picture> =>
  (
    await news.call(api.uploadPicture, {
      body: { picture: picture ?? (await aPicture('png', { width: ++size })) },
    })
  ).body
const nameOf = ({ src }: Picture) => /([0-9a-f]{32})-/.exec(src)![1]!
const img = ({ src, srcset }: Picture) => `<p><img src="${src}" srcset="${srcset}" alt="A node"></p>`
const isThere = async ({ src }: Picture) =>
  (await readPicture(services.files, src.slice(src.lastIndexOf('/') + 1))) !== undefined
const daysPass = (days: number) =>
  sql`update announcement_picture set used_at = used_at - ${days} * interval '1 day'`.execute(db)
const known = async () =>
  (await db.selectFrom('announcement_picture').select('name').execute()).map(({ name }) => name)

test('deletes an unused picture after two days, not before', async () => {
  const picture = await upload()
  await cleanUp(services)
  await daysPass(1.9)
  await cleanUp(services)
  expect(await isThere(picture)).toBe(true)
  await daysPass(0.2)
  await cleanUp(services)
  expect(await isThere(picture)).toBe(false)
  expect(await known()).not.toContain(nameOf(picture))
})

test('keeps pictures used by a post, an earlier version, the trash, or an autosave', async () => {
  const [inPost, inVersion, inTrash, inCopy, onCard] = [
    await upload(),
    await upload(),
    await upload(),
    await upload(),
    await upload(),
  ]
  await news.create({ content: img(inPost) })
  const post = await news.create({ content: img(inVersion) })
  await news.call(api.updateAnnouncement, { body: { _id: post._id, ...aPost() } })
  const trashed = await news.create({ content: img(inTrash) })
  await news.remove(trashed._id)
  const id = randomUUID()
  const place = { postId: null, translationOf: null, basedOn: null }
  await news.call(api.saveAutosave, {
    body: {
      ...place,
      id,
      title: '',
      category: '',
      language: 'en',
      content: img(inCopy),
      card: { src: onCard.src, alt: 'A node' },
    },
  })
  for (let round = 0; round < 3; round += 1) {
    await daysPass(3)
    await cleanUp(services)
  }
  for (const picture of [inPost, inVersion, inTrash, inCopy, onCard])
    expect(await isThere(picture)).toBe(true)
  await news.call(api.discardAutosave, { params: { id } })
  await db
    .updateTable('announcement')
    .set({ deleted_at: sql<Date>`now() - interval '31 days'` })
    .where('id', '=', trashed._id)
    .execute()
  await daysPass(3)
  await cleanUp(services)
  expect(await Promise.all([inPost, inVersion, inTrash, inCopy, onCard].map(isThere))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test('records a picture before its first byte is written, so that a crash leaves no unknown file', async () => {
  const files = { ...services.files, put: () => Promise.reject(new Error('the power went')) }
  const before = new Set(await known())
  const crashing = { ...services, files }
  await expect(storePicture(crashing, await aPicture('png', { width: ++size }), 'picture')).rejects.toThrow()
  const left = (await known()).filter((name) => !before.has(name))
  expect(left).toHaveLength(1)
  await daysPass(3)
  await cleanUp(services)
  expect(await known()).not.toContain(left[0])
})

test('a picture uploaded again during its removal still exists afterwards', async () => {
  const data = await aPicture('png', { width: ++size })
  const picture = await upload(data)
  await daysPass(3)
  let again: Promise<Picture> | undefined
  const removed: string[] = []
  const files = {
    ...services.files,
    async remove(key: string) {
      // It is sent at the worst moment: the name is locked, but the bytes are still there.
      again ??= upload(data)
      await new Promise((resolve) => setTimeout(resolve, 200))
      removed.push(key)
      await services.files.remove(key)
    },
  }
  await removeUnusedPictures(db, files, 2 * 86_400_000, 100)
  expect(removed).toContain(`news/${nameOf(picture)}-${size}`)
  expect(await again).toEqual(picture)
  expect(await isThere(picture)).toBe(true)
  expect(await known()).toContain(nameOf(picture))
})

test('keeps a picture whose text is being saved', async () => {
  const picture = await upload()
  await daysPass(3)
  await transaction(db, async (tx) => {
    await holdPictures(tx, img(picture))
    await removeUnusedPictures(db, services.files, 2 * 86_400_000, 100)
  })
  await removeUnusedPictures(db, services.files, 2 * 86_400_000, 100)
  expect(await isThere(picture)).toBe(true)
})

test('several instances can clean up at once', async () => {
  const pictures = await Promise.all(Array.from({ length: 5 }, () => upload()))
  await daysPass(3)
  await Promise.all([cleanUp(services), cleanUp(services), cleanUp(services)])
  await cleanUp(services)
  for (const picture of pictures) expect(await isThere(picture)).toBe(false)
})
