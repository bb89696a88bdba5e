import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HOUR, SECOND } from '#contract/platform/durations.ts'
import { languages } from '#contract/platform/languages.ts'
import { getPost } from '#contract/publishing/announcements.ts'
import { makeCachedBody, sendCached, type CachedBody } from '../response-cache/cached-body.ts'
import { getOrRetry } from '../response-cache/get-or-retry.ts'
import { Busy, makeRenderQueue, ofUnseenPages } from '../response-cache/render-queue.ts'
import { immutable } from '../headers.ts'
import type { SiteOptions } from '../pages.ts'
import { drawPost } from './draw-post.ts'
import { shareOfDrawing, shareOfPicture } from './make-share-picture.ts'

type Options = Pick<
  SiteOptions,
  'readPicture' | 'seedOfDrawing' | 'drawText' | 'apiCall' | 'responseCache' | 'clientOf'
>

const shareAge = HOUR / SECOND
/** Other sites show these pictures in link previews. */
const forOtherSites = { 'cross-origin-resource-policy': 'cross-origin' }

const fileOf = (request: FastifyRequest): string => (request.params as { file: string }).file

/** Serves the pictures of posts: uploaded ones, drawings, and those in link previews. */
export function serveNewsPictures(site: FastifyInstance, options: Options): void {
  serveUploaded(site, options)
  serveDrawings(site, options)
  serveSharePictures(site, options)
}

/** Serves uploaded pictures. They never change, because the file name contains a hash of the content. */
function serveUploaded(site: FastifyInstance, { readPicture }: Options): void {
  site.route({
    method: ['GET', 'HEAD'],
    url: '/assets/media/news/:file',
    handler: async (request, reply) => {
      const file = fileOf(request)
      const bytes = await readPicture(file)
      if (!bytes) return reply.callNotFound()
      return reply
        .headers({ 'cache-control': immutable, ...forOtherSites })
        .type(file.endsWith('.jpg') ? 'image/jpeg' : 'image/webp')
        .send(bytes)
    },
  })
}

/**
 * Serves drawings. They are made from their addresses alone, so they reveal nothing about posts and never change. They
 * aren't cached: drawing takes about a millisecond, and clients can make up any number of addresses, which would evict
 * everything else.
 */
function serveDrawings(site: FastifyInstance, { seedOfDrawing }: Options): void {
  site.route({
    method: ['GET', 'HEAD'],
    url: '/assets/media/news-drawings/:file',
    handler: async (request, reply) => {
      const seed = seedOfDrawing(fileOf(request))
      if (seed === undefined) return reply.callNotFound()
      void reply.headers({ 'cache-control': immutable, vary: 'Accept-Encoding', ...forOtherSites })
      return sendCached(request, reply, makeCachedBody('image/svg+xml', drawPost(seed)))
    },
  })
}

/** The language and slug in the address of a share picture. */
const share = new RegExp(`^(${languages.join('|')})-(.+)-[0-9a-f]{10}\\.jpg$`, 's')

/**
 * Serves the pictures of published posts in link previews. An address is valid as long as the post has the same title
 * and picture. Pictures are made one at a time, because each takes several hundred milliseconds of processor time.
 */
function serveSharePictures(site: FastifyInstance, options: Options): void {
  const { responseCache, clientOf } = options
  const queue = makeRenderQueue(ofUnseenPages)
  site.route({
    method: ['GET', 'HEAD'],
    url: '/assets/media/news-share/:file',
    handler: async (request, reply) => {
      const file = fileOf(request)
      const client = clientOf(request.ip)
      const enter = (waited: number) =>
        responseCache.get(`share? ${file}`, {
          topics: ['announcements', 'retractions'],
          client,
          make: () => queue.enter(client, () => makeSharePicture(file, options), waited),
          bodyOf: (made) => made,
        })
      const body = await getOrRetry(client, enter).catch((failure: unknown) => answerBusy(reply, failure))
      if (!body) return reply.sent ? reply : reply.callNotFound()
      void reply.headers({ 'cache-control': `public, max-age=${shareAge}`, ...forOtherSites })
      return sendCached(request, reply, body)
    },
  })
}

function answerBusy(reply: FastifyReply, failure: unknown): undefined {
  if (!(failure instanceof Busy)) throw failure
  void reply
    .code(503)
    .headers({ 'retry-after': String(failure.retryAfterSeconds), 'cache-control': 'no-store' })
    .send()
}

async function makeSharePicture(
  file: string,
  { apiCall, readPicture, seedOfDrawing, drawText }: Options,
): Promise<CachedBody | undefined> {
  const [, lang, slug] = share.exec(file) ?? []
  if (lang === undefined || slug === undefined) return undefined
  const found = await apiCall(getPost, { params: { lang, slug } }).catch((failure: unknown) => {
    if ((failure as { status?: unknown }).status === 404) return undefined
    throw failure
  })
  if (!found || decodeURIComponent(found.sharePicture.src).split('/').at(-1) !== file) return undefined
  const { title, picture } = found.post
  const name = picture.src.split('/').at(-1)!
  const uploaded = picture.origin === 'drawn' ? undefined : await readPicture(name)
  const bytes = uploaded
    ? await shareOfPicture(uploaded)
    : await shareOfDrawing(seedOfDrawing(name) ?? name, title, drawText)
  return makeCachedBody('image/jpeg', bytes)
}
