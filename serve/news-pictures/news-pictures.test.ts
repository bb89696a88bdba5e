import { XMLValidator } from 'fast-xml-parser'
import Fastify from 'fastify'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { drawText } from '#api/platform/pictures/draw-text.ts'
import { seedOfDrawing } from '#api/publishing/pictures/drawn-picture.ts'
import { readPicture } from '#api/publishing/pictures/store-picture.ts'
import { api } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { aPicture, aPost } from '#tests/builders.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import type { Call } from '#web/kernel/call/call.ts'
import { respondNotFound } from '../error-responses.ts'
import { Busy } from '../response-cache/render-queue.ts'
import { makeResponseCache, type ResponseCache } from '../response-cache/response-cache.ts'
import { drawPost } from './draw-post.ts'
import { serveNewsPictures } from './serve-news-pictures.ts'

const started = await startApi({}, afterAll)
const { call, create, remove } = await aNewsroom(started)
const { services } = started

const apiCall = (async (endpoint: Endpoint, input: CallOf<Endpoint>) => {
  const { status, body } = await started.call(endpoint, input)
  if (status >= 300) throw Object.assign(new Error('failed'), { status })
  return body
}) as unknown as Call
const responseCache = makeResponseCache()
const siteWith = (cache: ResponseCache) => {
  const site = Fastify({ routerOptions: { maxParamLength: 400 } })
  site.setNotFoundHandler(respondNotFound)
  afterAll(() => site.close())
  serveNewsPictures(site, {
    readPicture: (file) => readPicture(services.files, file),
    seedOfDrawing,
    drawText,
    apiCall,
    responseCache: cache,
    clientOf: (ip) => ip,
  })
  return site
}
const site = siteWith(responseCache)

const get = (url: string) => site.inject({ url })
const shareOf = async (slug: string, lang = 'en') =>
  (await started.call(api.getPost, { params: { lang, slug } })).body.sharePicture
/** Empties the cache, as a change does. */
const forget = () => responseCache.forget('announcements')

test('a drawing depends only on its seed, is small, and contains nothing that the policy forbids', () => {
  const seeds = Array.from({ length: 60 }, (_, n) => `seed ${n}`)
  const drawn = seeds.map((seed) => drawPost(seed))
  expect(new Set(drawn).size).toBe(seeds.length)
  expect(drawPost('seed 1')).toBe(drawn[1])
  for (const svg of drawn) {
    expect(XMLValidator.validate(svg)).toBe(true)
    expect(svg).not.toMatch(/style|<script|<text|\son\w+=|https?:(?!\/\/www\.w3\.org)|NaN|undefined/)
    expect(svg.length).toBeLessThan(20_000)
  }
})

test('serves a post’s drawing as immutable, and responds to unknown drawing addresses with 404', async () => {
  const { picture } = await create({ title: 'Drawn' })
  const { statusCode, headers, body } = await get(picture.src)
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(body).toMatch(/^<svg /)
  for (const other of ['x.svg', picture.src.slice(-27), `${'0'.repeat(16)}-000000.svg`, '..%2f..%2fetc'])
    expect((await get(`/assets/media/news-drawings/${other}`)).statusCode).toBe(
      other === picture.src.slice(-27) ? 200 : 404,
    )
})

test('made-up drawing addresses take no room in the cache', async () => {
  const { picture } = await create({ title: 'Drawn again' })
  const before = responseCache.bytes()
  for (let n = 0; n < 20; n += 1) {
    const { statusCode, headers } = await get(picture.src.replace(/[0-9a-f]{16}-/, `${n}-`.padStart(17, '0')))
    expect(statusCode).toBe(200)
    expect(headers['etag']).toBeDefined()
  }
  expect(responseCache.bytes()).toBe(before)
})

test.each([
  ['en', 'A new release'],
  ['cn', '示例公告：首次同步更快'],
  ['en', `</svg><script>alert(1)</script> <span foreground="red"> & "quotes' \u202E`],
  ['en', 'W'.repeat(200)],
  ['cn', '节点发布同步'.repeat(30)],
  ['en', '🚀🚀🚀'],
] as const)(
  'the share picture of a post in %s with the title %j is a JPEG of 1200 × 630',
  async (language, title) => {
    const post = await create({ language, title })
    const share = await shareOf(post.slug, language)
    const { statusCode, headers, rawPayload } = await get(share.src)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const { format, width, height } = await sharp(rawPayload).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: share.width, height: share.height })
    expect(rawPayload.length).toBeLessThan(300_000)
  },
)

test('the title is legible in both languages, as light text on a dark background', async () => {
  for (const [language, title] of [
    ['en', 'Legible'],
    ['cn', '清晰可读'],
  ] as const) {
    const { slug } = await create({ language, title })
    const { src } = await shareOf(slug, language)
    const { rawPayload } = await get(src)
    const room = { left: 72, top: 380, width: 500, height: 160 }
    const { channels } = await sharp(rawPayload).extract(room).greyscale().stats()
    // A font without these characters would draw nothing, or thin outlines.
    expect(channels[0]!.max).toBeGreaterThan(200)
    expect(channels[0]!.mean).toBeGreaterThan(22)
  }
})

test('a post with its own picture is shared with that picture', async () => {
  const uploaded = (
    await call(api.uploadPicture, { body: { picture: await aPicture('png', { width: 80, height: 80 }) } })
  ).body
  const { slug } = await create({ title: 'Own picture', card: { src: uploaded.src, alt: 'A square' } })
  const { rawPayload } = await get((await shareOf(slug)).src)
  const own = await readPicture(services.files, uploaded.src.split('/').at(-1)!)
  const [wanted, got] = await Promise.all(
    [own!, rawPayload].map(async (bytes) => (await sharp(bytes).stats()).dominant),
  )
  expect(got).toEqual(wanted)
})

test('a client that joins another client’s request for a share picture is not refused with it', async () => {
  const { slug } = await create({ title: 'Requested twice' })
  let refused = 0
  const site = siteWith({
    ...responseCache,
    get(key, how) {
      if (refused > 0) return responseCache.get(key, how)
      refused += 1
      return { client: 'another client', value: Promise.reject(new Busy(5)) }
    },
  })
  expect((await site.inject({ url: (await shareOf(slug)).src })).statusCode).toBe(200)
  expect(refused).toBe(1)
})

test('serves no picture of drafts, deleted posts, earlier titles, or the other language', async () => {
  const post = await create({ title: 'Public for a while' })
  const { src } = await shareOf(post.slug)
  expect((await get(src)).statusCode).toBe(200)
  const other = src.replace('/en-', '/cn-')
  expect((await get(other)).statusCode).toBe(404)
  await call(api.updateAnnouncement, { body: { ...aPost({ title: 'Another title' }), _id: post._id } })
  forget()
  expect((await get(src)).statusCode).toBe(404)
  const renamed = (await shareOf(post.slug)).src
  expect((await get(renamed)).statusCode).toBe(200)
  await call(api.unpublishPost, { params: { id: post._id }, body: {} })
  forget()
  expect((await get(renamed)).statusCode).toBe(404)
  await call(api.publishPost, { params: { id: post._id }, body: {} })
  forget()
  expect((await get(renamed)).statusCode).toBe(200)
  await remove(post._id)
  forget()
  expect((await get(renamed)).statusCode).toBe(404)
  for (const file of ['en-nothing-0123456789.jpg', 'xx-a-0123456789.jpg', 'en-a.jpg', '%00'])
    expect((await get(`/assets/media/news-share/${file}`)).statusCode).toBe(404)
})
