import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { HOUR, SECOND } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import { languages } from '#contract/platform/languages.ts'
import type { Call } from '#web/kernel/call/call.ts'
import { readBuiltFiles, typeOfBuilt } from './built-files.ts'
import { type FindContentFile, serveContentFiles } from './content-files.ts'
import type { PreviewCall } from './content-preview.ts'
import { serveThroughVite } from './development.ts'
import { makeOlderFiles, type OlderFiles } from './response-cache/older-files.ts'
import { headersInVain, immutable, securityHeaders } from './headers.ts'
import type { ResponseCache } from './response-cache/response-cache.ts'
import type { DrawText } from './news-pictures/make-share-picture.ts'
import { serveNewsPictures } from './news-pictures/serve-news-pictures.ts'
import type { PostedFormOptions } from './posted-forms.ts'
import { respondNotFound, failureAnswerer } from './error-responses.ts'
import { serveBuiltPages } from './built-pages.ts'
import { type CachedBody, forGood, makeCachedBody, sendCached } from './response-cache/cached-body.ts'

export type SiteOptions = PostedFormOptions & {
  publicUrl: URL
  isProduction: boolean
  /** Value of Strict-Transport-Security if the site uses HTTPS. */
  strictTransport?: string
  /** The API in the same process, from which pages load their data. */
  apiCall: Call
  /** Where browsers find the API: `/v2/`, or an absolute address on another host. */
  endpointBase: string
  /** ISO time of the running configuration, which is sent to browsers. */
  runningSince: string
  /** Whether browsers store an offline page. */
  hasOfflinePage?: boolean
  /** The public application ID, if it differs from the contract's default. */
  appId?: string
  /** The key under which a client's requests are counted. */
  clientOf: (ip: string) => string
  /** Reads a news picture by the last segment of its URL. */
  readPicture: (file: string) => Promise<Buffer | undefined>
  /** Returns the seed of a post’s drawing by the last segment of its URL. */
  seedOfDrawing: (file: string) => string | undefined
  /** Draws text on a transparent background. */
  drawText: DrawText
  /** Reads an ambassador's picture while it is public. */
  readAmbassadorPicture: (file: string) => Promise<Buffer | undefined>
  /** PDFs and pictures of people that editors uploaded. */
  findContentFile: FindContentFile
  /** The API with drafts applied, for preview URLs. */
  previewCall: PreviewCall
  /** Files of other releases that are running or ran recently. Without it, only the files of this build are served. */
  formerFiles?: OlderFiles
  /** Every message of a language, by key. */
  messagesIn: (language: Language) => Readonly<Record<string, string>>
  /** Start of a database outage according to `performance.now()`, once it has lasted a few seconds. */
  databaseAwaySince?: () => number | undefined
  /** Whether change notifications of other instances work. */
  isHeard?: () => boolean
  /** The sentence on every page, during maintenance. */
  noticeIn?: (language: Language) => string | undefined
  /** Whether an error means that something is temporarily unavailable, and is not a bug. */
  isOutage?: (error: unknown) => boolean
  /** The cache shared with API responses. Its creator invalidates changed entries. */
  responseCache: ResponseCache
  /**
   * Registers a listener for changes of pages, by topic; `content` affects every page. `isCertain` is set if this
   * instance made the change and did not just receive a notification.
   */
  addChangeListener: (listener: (topic: string, isCertain?: boolean) => void) => void
}

const root = join(import.meta.dirname, '..')

/** Serves the site: pages, their files, and a redirect to the home page for unknown URLs. */
export async function servePages(app: FastifyInstance, options: SiteOptions): Promise<void> {
  const headers = securityHeaders(options)
  await app.register(async (site) => {
    site.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
    site.setErrorHandler(failureAnswerer(options.isOutage))
    await serveAssets(site, root, options)
    if (!options.isProduction) return serveThroughVite(site, root, options)
    await serveBuiltPages(site, root, options)
    site.setNotFoundHandler(respondNotFound)
  })
}

const mediaFolders = ['films', 'icons', 'media', 'screenshots', 'share']
const mediaAge = HOUR

/** Serves everything except pages: built files, messages, the configuration, films, manuals, and pictures. */
export async function serveAssets(site: FastifyInstance, root: string, options: SiteOptions): Promise<void> {
  if (options.isProduction) serveBuild(site, root, options)
  serveWords(site, options)
  serveConfiguration(site, options)
  serveNewsPictures(site, options)
  serveAmbassadorPictures(site, options)
  await serveContentFiles(site, join(root, 'content/media'), options.findContentFile)
  await serveMedia(site, join(root, 'content/media'))
}

function serveBuild(site: FastifyInstance, root: string, { formerFiles, responseCache }: SiteOptions): void {
  const bodies = new Map(
    readBuiltFiles(root).map(({ file, plain, compressed }) => [
      file,
      forGood(makeCachedBody(typeOfBuilt(file), plain, { compressed })),
    ]),
  )
  const former = formerFiles && makeOlderFiles(formerFiles, responseCache)
  site.route({
    method: ['GET', 'HEAD'],
    url: '/assets/app/:file',
    handler: async (request, reply) => {
      const { file } = request.params as { file: string }
      const body = bodies.get(file) ?? (await former?.find(file))
      if (!body) return reply.callNotFound()
      for (const name of headersInVain(file)) void reply.removeHeader(name)
      void reply.header('cache-control', immutable).header('vary', 'Accept-Encoding')
      if (isForFrame(file)) void reply.header('cross-origin-resource-policy', 'cross-origin')
      return sendCached(request, reply, body)
    },
  })
}

/**
 * A frame with an empty sandbox has an opaque origin, so the request for its style sheet counts as
 * cross-origin.
 */
const isForFrame = (file: string): boolean => /^mail-frame-.*\.css$/.test(file)

/** Serves all messages of a language in one file, rebuilt when they change. */
function serveWords(site: FastifyInstance, { messagesIn, responseCache }: SiteOptions): void {
  for (const language of languages) {
    const make = async () =>
      makeCachedBody('application/json; charset=utf-8', JSON.stringify(messagesIn(language)))
    const how = { topics: ['content'], client: '', make, bodyOf: (body: CachedBody) => body }
    site.route({
      method: ['GET', 'HEAD'],
      url: `/assets/i18n/${language}.json`,
      handler: async (request, reply) => {
        void reply.header('cache-control', 'no-cache').header('vary', 'Accept-Encoding')
        return sendCached(request, reply, await responseCache.get(`words ${language}`, how).value)
      },
    })
  }
}

function serveConfiguration(site: FastifyInstance, { runningSince, endpointBase }: SiteOptions): void {
  const configuration = JSON.stringify({ quand: runningSince, endpoint: endpointBase })
  const body = forGood(makeCachedBody('application/json; charset=utf-8', configuration))
  site.route({
    method: ['GET', 'HEAD'],
    url: '/data/app-config.json',
    handler: (request, reply) => sendCached(request, reply.header('cache-control', 'no-cache'), body),
  })
}

/** Cached no longer than other media, so that pictures of hidden or erased people also disappear from browsers soon. */
function serveAmbassadorPictures(site: FastifyInstance, { readAmbassadorPicture }: SiteOptions): void {
  site.route({
    method: ['GET', 'HEAD'],
    url: '/assets/media/ambassadors/:file',
    handler: async (request, reply) => {
      const bytes = await readAmbassadorPicture((request.params as { file: string }).file)
      if (!bytes) return reply.callNotFound()
      return reply
        .header('cache-control', `public, max-age=${mediaAge / SECOND}`)
        .type('image/webp')
        .send(bytes)
    },
  })
}

/** Files that an operator can replace: cached for an hour, with range requests for seeking in films. */
async function serveMedia(site: FastifyInstance, directory: string): Promise<void> {
  for (const folder of mediaFolders.filter((each) => existsSync(join(directory, each))))
    await site.register(fastifyStatic, {
      root: join(directory, folder),
      prefix: `/assets/${folder}/`,
      decorateReply: false,
      index: false,
      cacheControl: false,
      setHeaders: (reply) => {
        void reply.header('cache-control', `public, max-age=${mediaAge / SECOND}`)
        // Share pictures must be loadable from other sites.
        if (folder === 'share') void reply.header('cross-origin-resource-policy', 'cross-origin')
      },
    })
}
