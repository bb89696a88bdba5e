import { relative } from 'node:path'
import Fastify, { LogController, type FastifyInstance } from 'fastify'
import type { ViteDevServer } from 'vite'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Language } from '#contract/platform/languages.ts'
import type * as Entry from '#web/entry.server.tsx'
import type { BuiltFiles } from '#web/document.ts'
import { serveForMachines } from './crawler-endpoints.ts'
import { makeCachedBody } from './response-cache/cached-body.ts'
import { mountPages } from './page-routes.ts'
import { servePostedForms, type Posted } from './posted-forms.ts'
import type { SiteOptions } from './pages.ts'
import { respondNotFound, failureAnswerer } from './error-responses.ts'
import { sharePictures } from './share-pictures.ts'

const sources = /^\/(@|web\/|contract\/|content\/|node_modules\/)/
/** The sources of pages. Watching every file of the tree would slow down each start. */
const watched = /^(?:web|contract|content)(?:\/|$)|^[^/]*$/

/**
 * Serves the same pages, rendered from the sources for each request, with hot reloading. Loading the sources takes as
 * long as the rest of the startup, so it begins once the server listens; API changes are then available sooner.
 */
export async function serveThroughVite(
  site: FastifyInstance,
  root: string,
  options: SiteOptions,
): Promise<void> {
  let begun: ReturnType<typeof startVite> | undefined
  const begin = () => (begun ??= startVite(site, root))
  let mounted: Promise<FastifyInstance> | undefined
  const mount = () => (mounted ??= begin().then((vite) => mountSources(site, vite, root, options)))
  site.addHook(
    'onListen',
    () => void mount().catch((error: unknown) => site.log.error({ error }, 'no pages')),
  )
  // Closed before the server, because it keeps the connection of every open tab.
  site.addHook('preClose', async () => (await begun)?.close())
  // If Vite handles the request itself, the hook does not continue.
  site.addHook('onRequest', async (request, reply) => {
    if (!sources.test(request.url)) return
    const vite = await begin()
    await new Promise<void>((resolve) => vite.middlewares(request.raw, reply.raw, () => resolve()))
  })
  await site.register(async (everything) => {
    everything.removeAllContentTypeParsers()
    everything.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    // A catch-all route would take precedence over API responses.
    everything.setNotFoundHandler(async (request, reply) => {
      const { method, url, headers, ip, body } = request
      const pages = await mount()
      const answer = await pages.inject({
        method: method as InjectMethod,
        url,
        headers,
        remoteAddress: ip,
        ...(body === undefined ? {} : { payload: body as Buffer }),
      })
      const { connection: _, 'content-length': _length, date: _date, ...said } = answer.headers
      return reply.code(answer.statusCode).headers(said).send(answer.rawPayload)
    })
  })
}

type InjectMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

async function startVite(site: FastifyInstance, root: string): Promise<ViteDevServer> {
  const { createServer } = await import('vite')
  return createServer({
    root,
    appType: 'custom',
    server: {
      middlewareMode: true,
      hmr: { server: site.server },
      watch: { ignored: (path) => !watched.test(relative(root, path)) },
    },
  })
}

/** Mounts all pages on a separate server behind the site's, which accepts no more routes once it listens. */
async function mountSources(
  { log }: FastifyInstance,
  vite: ViteDevServer,
  root: string,
  options: SiteOptions,
): Promise<FastifyInstance> {
  const pages = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: true },
  })
  pages.setErrorHandler(failureAnswerer(options.isOutage))
  pages.setNotFoundHandler(respondNotFound)
  const load = () => vite.ssrLoadModule('/web/entry.server.tsx') as Promise<typeof Entry>
  // Messages and data files are not modules, so Vite does not notice when they change.
  options.addChangeListener((topic) => topic === 'content' && vite.ws.send({ type: 'full-reload' }))
  const entry = await load()
  const { served } = entry
  serveForMachines(pages, root, entry, options)
  const renderPage = async (path: string, language: Language, posted?: Posted) => {
    const { render } = await load()
    const rendered = await render({
      posted,
      path,
      language,
      call: options.apiCall,
      origin: options.publicUrl.origin,
      appId: options.appId ?? defaultAppId,
      filesOf: ({ guard, file }) => sourceFilesOf(guard === 'staff' ? 'console' : 'browser', file),
      pictureOf: sharePictures(root),
      onFailure: (error) => log.warn({ error }, 'a page was shown without its data'),
    })
    const { html } = rendered
    if (rendered.status === 301) return rendered
    const withModules = html.replace(`<script src="${languageCheck}"`, (start) => `${start} type="module"`)
    return { ...rendered, html: await vite.transformIndexHtml(path, withModules) }
  }
  await servePostedForms(pages, served, options, renderPage)
  mountPages(pages, served, options, async ({ path }, language) => {
    const rendered = await renderPage(path, language)
    const body = makeCachedBody('text/html; charset=utf-8', rendered.html)
    return rendered.status === 301
      ? { status: 301, body, location: rendered.location }
      : { status: rendered.status, body }
  })
  return pages
}

const languageCheck = '/web/language-check.ts'

const sourceFilesOf = (entry: 'browser' | 'console', file: string): BuiltFiles => ({
  languageCheck,
  entry: `/web/entry.${entry}.tsx`,
  page: `/web/${file}`,
  styles: [],
  modules: [],
  fonts: [],
})
