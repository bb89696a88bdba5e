import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { apiBase } from '#api/app.ts'
import { callInProcess } from '#api/platform/http/call-in-process.ts'
import { listenToChanges } from '#api/platform/db/changes.ts'
import { invalidateCache } from '#api/platform/invalidate-cache.ts'
import { requestIdsFor } from '#api/platform/http/request-id.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import * as entry from '#web/entry.server.tsx'
import { answerFromCache, serverFactory } from '../../serve/response-cache/answer-from-cache.ts'
import { serveContentFiles } from '../../serve/content-files.ts'
import { serveForMachines } from '../../serve/crawler-endpoints.ts'
import { cachedJson } from '../../serve/response-cache/cached-calls.ts'
import { makeCachedPages } from '../../serve/response-cache/cached-pages.ts'
import { mountPages } from '../../serve/page-routes.ts'
import type { TestApi } from './start-api.ts'

const root = join(import.meta.dirname, '../..')
const origin = 'https://coin.example'
const files = { languageCheck: '/l.js', entry: '/e.js', page: '/e.js', styles: [], modules: [], fonts: [] }

export type WholeSite = {
  /** Returns the body of a page or endpoint as an anonymous visitor gets it over a connection. */
  get(path: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD'): Promise<string>
  responseCache: TestApi['responseCache']
}

/**
 * Pages and endpoints of an instance as the program serves them, cached and answered before the framework sees a
 * request.
 */
export async function startWholeSite(
  api: TestApi,
  countRead?: FastifyInstance['countRead'],
): Promise<WholeSite> {
  const { responseCache, services } = api
  const changes = listenToChanges(services.config.databaseUrl!)
  invalidateCache(responseCache, services, changes)
  const call = callInProcess(api.app, apiBase, defaultAppId, (url) => cachedJson(responseCache, url))
  const site = Fastify({ serverFactory, routerOptions: { ignoreTrailingSlash: true } })
  if (countRead) site.decorate('countRead', countRead)
  await serveContentFiles(site, join(root, 'content/media'), () => undefined)
  const cache = makeCachedPages(
    (path, language) =>
      entry.render({ path, language, call, origin, appId: defaultAppId, filesOf: () => files }),
    () => '',
    // Every path may be a post, so no request waits in the queue of possibly missing pages.
    () => true,
    responseCache,
  )
  mountPages(site, entry.served, { publicUrl: new URL(origin), clientOf: (ip) => ip }, cache.get)
  serveForMachines(site, root, entry, {
    publicUrl: new URL(origin),
    runningSince: new Date(0).toISOString(),
    addChangeListener: () => {},
    apiCall: call,
    responseCache,
  })
  const ports = await Promise.all(
    [site, api.app].map(async (app) => {
      answerFromCache(app, {
        apiBase,
        appId: defaultAppId,
        requestIdOf: requestIdsFor({ trustProxy: false }),
        isOrdinary: () => false,
      })
      await app.listen({ port: 0, host: '127.0.0.1' })
      return (app.server.address() as AddressInfo).port
    }),
  )
  onTestFinished(async () => {
    await site.close()
    await changes.close()
  })
  return {
    responseCache,
    async get(path, headers = {}, method = 'GET') {
      const port = path.startsWith(apiBase) ? ports[1] : ports[0]
      const named = { 'x-app-id': defaultAppId, ...headers }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: named,
        redirect: 'manual',
      })
      return `${response.status} ${await response.text()}`
    },
  }
}
