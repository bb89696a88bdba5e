import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { defaultAppId } from '#contract/apps.ts'
import { SECOND } from '#contract/durations.ts'
import type { Language } from '#contract/fields.ts'
import type { Call } from '#web/call/call.ts'
import type * as Entry from '#web/entry.server.tsx'
import { compress } from './response-cache/cached-body.ts'
import { filesOfPage, readBuild } from './built-files.ts'
import { servePreviews } from './content-preview.ts'
import { serveForMachines } from './crawler-endpoints.ts'
import { isOfCall } from './error-responses.ts'
import { makeKnownPages } from './known-pages.ts'
import { makeCachedPages, type GetPage } from './response-cache/cached-pages.ts'
import { pagesInOutage } from './pages-in-outage.ts'
import { languagesAt, mountPages } from './page-routes.ts'
import type { SiteOptions } from './pages.ts'
import { servePostedChecks, type Posted } from './posted-check.ts'
import { sharePictures } from './share-pictures.ts'

/** Serves the built pages, each rendered once and cached compressed in memory until its content changes. */
export async function serveBuiltPages(
  site: FastifyInstance,
  root: string,
  options: SiteOptions,
): Promise<void> {
  const built = pathToFileURL(join(root, 'dist/server/entry.server.js')).href
  const entry = (await import(built)) as typeof Entry
  const { render, served } = entry
  let isClosing = false
  site.addHook('preClose', async () => void (isClosing = true))
  // Errors during shutdown are expected, and an outage was already logged by the API request.
  const warn = (sentence: string, error: unknown) =>
    isClosing || isOfCall(error) || site.log.warn({ error }, sentence)
  const renderWith = makeRenderer(render, root, options, (error) =>
    warn('a page was shown without its data', error),
  )
  const known = makeKnownPages(
    () => entry.listPageAddresses(options.apiCall),
    (error) => warn('the addresses of pages could not be listed', error),
  )
  const cache = makeCachedPages(
    (path, language) => renderWith(path, language, options.apiCall),
    (language) => options.messagesIn(language)['errors.unavailable'] ?? '',
    known.has,
    options.responseCache,
  )
  const pages = pagesInOutage(cache.get, {
    awaySince: options.databaseAwaySince ?? (() => undefined),
    isHeard: options.isHeard ?? (() => true),
    mark: (html, language) =>
      html.replace(
        '<body>',
        () => `<body>${entry.outageNotice(options.messagesIn(language)['errors.kept_page'] ?? '')}`,
      ),
  })
  let isListening = false
  options.addChangeListener((topic, isCertain) => {
    cache.forget(topic)
    pages.forget(topic, isCertain)
    if (isListening && entry.topicsOfPages.includes(topic)) known.outdate()
  })
  mountPages(site, served, options, pages.get)
  await servePostedChecks(site, served, options, (path, language, posted) =>
    renderWith(path, language, options.apiCall, posted),
  )
  servePreviews(site, served, options.previewCall, renderWith)
  serveForMachines(site, root, entry, options)

  site.addHook('onListen', () => {
    isListening = true
    void known.renew()
    // Prepared one at a time in the background, so that each page is already compressed on its first visit.
    prepareAll(served, pages.get, () => isClosing)
      .catch((failure: unknown) => warn('a page could not be prepared', failure))
      .then(releaseMemory)
      .catch(() => {})
  })
}

function makeRenderer(
  render: (typeof Entry)['render'],
  root: string,
  options: Pick<SiteOptions, 'publicUrl' | 'appId'>,
  onFailure: (error: unknown) => void,
) {
  const build = readBuild(root)
  const pictureOf = sharePictures(root)
  return (path: string, language: Language, call: Call, posted?: Posted) =>
    render({
      posted,
      path,
      language,
      call,
      origin: options.publicUrl.origin,
      appId: options.appId ?? defaultAppId,
      filesOf: (route) => filesOfPage(build, route, language),
      pictureOf,
      onFailure,
    })
}

async function prepareAll(
  served: (typeof Entry)['served'],
  get: GetPage,
  isClosing: () => boolean,
): Promise<void> {
  for (const entry of served) {
    if ('redirect' in entry || entry.path.includes(':')) continue
    for (const language of languagesAt(entry.path))
      // Compressed now as for visitors, so that pages are ready for an outage before the first visit.
      if (!isClosing()) await compress((await get(entry, language, '')).body)
  }
}

/**
 * Runs once after startup. V8 reserves 100 MB for young objects while modules load and pages are rendered, and releases
 * it only in the second full collection with few allocations in between.
 */
async function releaseMemory(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  for (let turn = 0; turn < 2; turn += 1) {
    await setTimeout(SECOND, undefined, { ref: false })
    collect()
  }
}
