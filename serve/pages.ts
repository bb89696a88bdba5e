import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Language } from '#contract/fields.ts'
import type { Call } from '#web/call/call.ts'
import { serveAssets } from './assets.ts'
import type { FindContentFile } from './content-files.ts'
import type { PreviewCall } from './content-preview.ts'
import { serveThroughVite } from './development.ts'
import type { OlderFiles } from './response-cache/older-files.ts'
import { securityHeaders } from './headers.ts'
import type { ResponseCache } from './response-cache/response-cache.ts'
import type { CheckOfficial } from './posted-check.ts'
import { respondNotFound, failureAnswerer } from './error-responses.ts'
import { serveBuiltPages } from './built-pages.ts'

export type SiteOptions = {
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
  /** The public application ID, if it differs from the contract's default. */
  appId?: string
  /** The key under which a client's requests are counted. */
  clientOf: (ip: string) => string
  /** Reads a news picture by the last segment of its URL. */
  readPicture: (file: string) => Promise<Buffer | undefined>
  /** Reads an ambassador's picture while it is public. */
  readAmbassadorPicture: (file: string) => Promise<Buffer | undefined>
  /** PDFs and pictures of people that editors uploaded. */
  findContentFile: FindContentFile
  /** Checks whether a pasted text is official, for the form without JavaScript. */
  checkOfficial: CheckOfficial
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
