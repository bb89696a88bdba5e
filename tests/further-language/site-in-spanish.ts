import { join } from 'node:path'
import Fastify, { type InjectOptions } from 'fastify'
import { apiBase } from '#api/app.ts'
import { readContentFiles } from '#api/content-files.ts'
import { callInProcess } from '#api/call-in-process.ts'
import { defaultAppId } from '#contract/apps.ts'
import { serveForMachines } from '../../serve/crawler-endpoints.ts'
import { makeCachedPages } from '../../serve/response-cache/cached-pages.ts'
import { mountPages } from '../../serve/page-routes.ts'
import { respondNotFound } from '../../serve/error-responses.ts'
import { sharePictures } from '../../serve/share-pictures.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import * as entry from '#web/entry.server.tsx'

export const origin = 'https://coin.example'
const root = join(import.meta.dirname, '../..')
const files = { languageCheck: '/l.js', entry: '/e.js', page: '/p.js', styles: [], modules: [], fonts: [] }

export type Site = {
  api: TestApi
  get(url: string, headers?: Record<string, string>): ReturnType<TestApi['send']>
  /** Returns the page without the data for its scripts. */
  html(url: string, headers?: Record<string, string>): Promise<string>
}

/** Starts the API and pages of the program with the languages that the content lists. */
export async function startSite(until?: (end: () => Promise<void>) => void): Promise<Site> {
  const api = await startApi({}, until)
  const call = callInProcess(api.app, apiBase, defaultAppId)
  const site = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  const listeners: ((topic: string) => void)[] = []
  const pictureOf = sharePictures(root)
  const cache = makeCachedPages(
    (path, language) =>
      entry.render({ path, language, call, origin, appId: defaultAppId, filesOf: () => files, pictureOf }),
    () => '',
  )
  listeners.push((topic) => cache.forget(topic))
  api.services.content.onChange(() => listeners.forEach((listener) => listener('content')))
  mountPages(site, entry.served, { publicUrl: new URL(origin), clientOf: (ip) => ip }, cache.get)
  serveForMachines(site, root, entry, {
    publicUrl: new URL(origin),
    runningSince: new Date().toISOString(),
    addChangeListener: (listener) => void listeners.push(listener),
    apiCall: call,
  })
  site.setNotFoundHandler(respondNotFound)
  const get = (url: string, headers: Record<string, string> = {}) =>
    site.inject({ method: 'GET', url, headers } satisfies InjectOptions)
  return {
    api,
    get,
    html: async (url, headers) => (await get(url, headers)).body.replaceAll(/<script[\s\S]*?<\/script>/g, ''),
  }
}

/** Publishes everything that exists in English, so that no translation is missing. */
export function completeSpanish({ services }: TestApi): void {
  const { content } = services
  const inSpanish = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inSpanish)
    if (typeof value !== 'object' || value === null) return value
    const filled = Object.entries(value).map(([key, part]) => [key, inSpanish(part)] as const)
    return { ...Object.fromEntries(filled), ...('en' in value && { es: value.en }) }
  }
  const files = readContentFiles()
  const messages = [...files.words.get('en')!].map(
    ([name, words]) => [`messages/${name}`, { es: words }] as [string, unknown],
  )
  const facts = [...files.facts].map(([file, value]) => [file, inSpanish(value)] as [string, unknown])
  content.override(new Map([...messages, ...facts, ['brand.json', inSpanish(files.brand)]]))
}
