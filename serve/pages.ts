import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Language } from '#contract/fields.ts'
import type { Call } from '#web/call/call.ts'
import { serveAssets } from './assets.ts'
import type { FindContentFile } from './content-files.ts'
import type { PreviewCall } from './content-preview.ts'
import { serveThroughVite } from './development.ts'
import type { FormerFiles } from './former-files.ts'
import { securityHeaders } from './headers.ts'
import type { KeptAnswers } from './kept-answers.ts'
import type { CheckOfficial } from './posted-check.ts'
import { answerUnknown, failureAnswerer } from './refusals.ts'
import { serveReadyPages } from './ready-pages.ts'

export type SiteOptions = {
  publicUrl: URL
  isProduction: boolean
  /** What Strict-Transport-Security says where the site is https. */
  strictTransport?: string
  /** The API in the same process; pages load their data with it. */
  apiCall: Call
  /** Where browsers find the API: `/v2/`, or an absolute address of another host. */
  endpointBase: string
  /** ISO time of the running configuration; browsers are told. */
  runningSince: string
  /** The public application id, where it is not the contract's own. */
  appId?: string
  /** Under which name a client's address is counted. */
  clientOf: (ip: string) => string
  /** The bytes of a picture of the news by the last part of its address. */
  readPicture: (file: string) => Promise<Buffer | undefined>
  /** The same of an ambassador, while it is public. */
  readAmbassadorPicture: (file: string) => Promise<Buffer | undefined>
  /** PDFs and pictures of people that editors uploaded. */
  findContentFile: FindContentFile
  /** Asks what is official for whoever sent the form of it without script. */
  checkOfficial: CheckOfficial
  /** The API as it answers with drafts, behind the address of a preview. */
  previewCall: PreviewCall
  /** Of other releases that run or ran lately; without it there are those of this build only. */
  formerFiles?: FormerFiles
  /** Every word of a language, by key. */
  wordsIn: (language: Language) => Readonly<Record<string, string>>
  /** Since when, of `performance.now()`, the database is away, once it has been out of reach for some seconds. */
  databaseAwaySince?: () => number | undefined
  /** Whether changes of other instances are heard of. */
  isHeard?: () => boolean
  /** Whether an error says that something is out of reach for now, and is no mistake of the program. */
  isOutage?: (error: unknown) => boolean
  /** What calls keep, too; whoever makes it forgets what changes. */
  kept: KeptAnswers
  /**
   * Registers a listener for changes of what pages show, by topic; `content` is what every page shows. `isCertain` is of what was
   * changed here, and not only heard of.
   */
  forgetOn: (listener: (topic: string, isCertain?: boolean) => void) => void
}

const root = join(import.meta.dirname, '..')

/** Serves the site: pages, their files, and the home page to people who request anything else. */
export async function servePages(app: FastifyInstance, options: SiteOptions): Promise<void> {
  const headers = securityHeaders(options)
  await app.register(async (site) => {
    site.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
    site.setErrorHandler(failureAnswerer(options.isOutage))
    await serveAssets(site, root, options)
    if (!options.isProduction) return serveThroughVite(site, root, options)
    await serveReadyPages(site, root, options)
    site.setNotFoundHandler(answerUnknown)
  })
}
