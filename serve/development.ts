import { relative } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { defaultAppId } from '#contract/apps.ts'
import type { Language } from '#contract/languages.ts'
import type * as Entry from '#web/entry.server.tsx'
import type { BuiltFiles } from '#web/document.ts'
import { serveForMachines } from './for-machines.ts'
import { makeCachedBody } from './cached-body.ts'
import { mountPages } from './page-routes.ts'
import { servePostedChecks, type Posted } from './posted-check.ts'
import type { SiteOptions } from './pages.ts'
import { sharePictures } from './share-pictures.ts'

const sources = /^\/(@|web\/|contract\/|content\/|node_modules\/)/
/** What pages are made of. To watch every file of the tree would take a good part of each start. */
const watched = /^(?:web|contract|content)(?:\/|$)|^[^/]*$/

/** The same pages, rendered anew for each request from the sources, with hot reload. */
export async function serveThroughVite(
  site: FastifyInstance,
  root: string,
  options: SiteOptions,
): Promise<void> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root,
    appType: 'custom',
    server: {
      middlewareMode: true,
      hmr: { server: site.server },
      watch: { ignored: (path) => !watched.test(relative(root, path)) },
    },
  })
  // Before the server ends: it waits for the connection of every open tab.
  site.addHook('preClose', () => vite.close())
  const load = () => vite.ssrLoadModule('/web/entry.server.tsx') as Promise<typeof Entry>
  // If Vite answers the request itself, the hook never continues.
  site.addHook('onRequest', (request, reply, done) => {
    if (sources.test(request.url)) vite.middlewares(request.raw, reply.raw, done)
    else done()
  })
  // Words and facts are no modules, so Vite does not see them change.
  options.forgetOn((topic) => topic === 'content' && vite.ws.send({ type: 'full-reload' }))
  const entry = await load()
  const { served } = entry
  serveForMachines(site, root, entry, options)
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
      onFailure: (error) => site.log.warn({ error }, 'a page was shown without its data'),
    })
    const { html } = rendered
    if (rendered.status === 301) return rendered
    const withModules = html.replace(`<script src="${languageCheck}"`, (start) => `${start} type="module"`)
    return { ...rendered, html: await vite.transformIndexHtml(path, withModules) }
  }
  await servePostedChecks(site, served, options, renderPage)
  mountPages(site, served, options, async ({ path }, language) => {
    const rendered = await renderPage(path, language)
    const body = makeCachedBody('text/html; charset=utf-8', rendered.html)
    return rendered.status === 301
      ? { status: 301, body, location: rendered.location }
      : { status: rendered.status, body }
  })
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
