import { join, normalize } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#api/platform/config/config.ts'
import { drawText } from '#api/platform/pictures/draw-text.ts'
import * as mailLinks from '#api/platform/site-links.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Language } from '#contract/platform/fields.ts'
import { oneAnnouncement } from '#tests/setup/one-announcement.ts'
import * as entry from '#web/entry.server.tsx'
import { matchRoute } from '#web/kernel/routes/match-route.ts'
import { serveForMachines } from '../../serve/crawler-endpoints.ts'
import { makeResponseCache } from '../../serve/response-cache/response-cache.ts'
import { languagesAt, mountPages } from '../../serve/page-routes.ts'
import { serveAssets, type SiteOptions } from '../../serve/pages.ts'
import { sharePictures } from '../../serve/share-pictures.ts'
import { isThere, listPaths, root, textOf } from './source-files.ts'

const origin = 'https://coin.example'
const build = '/assets/app/'
const files = { languageCheck: build, entry: build, page: build, styles: [], modules: [], fonts: [] }
const options: SiteOptions = {
  publicUrl: new URL(origin),
  isProduction: false,
  clientOf: (ip) => ip,
  apiCall: oneAnnouncement,
  endpointBase: '/v2/',
  runningSince: new Date(0).toISOString(),
  readPicture: async () => undefined,
  seedOfDrawing: () => 'a sample seed',
  drawText,
  findContentFile: () => undefined,
  previewCall: async () => undefined,
  readAmbassadorPicture: async () => undefined,
  sendContact: async () => ({ posted: { done: 'sent' as const }, status: 503 }),
  sendReminder: async () => ({ posted: { reminder: { done: 'received' as const } }, status: 503 }),
  checkOfficial: async () => ({ posted: { problem: '', text: '' }, status: 503 }),
  messagesIn: () => ({}),
  responseCache: makeResponseCache(),
  addChangeListener: () => {},
}

const render = async (path: string, language: Language): Promise<string> => {
  const request = { path, language, call: options.apiCall, origin, appId: defaultAppId, filesOf: () => files }
  return (await entry.render({ ...request, pictureOf: sharePictures(root) })).html
}

const site = Fastify()
afterAll(() => site.close())
await serveAssets(site, root, options)
serveForMachines(site, root, entry, options)
mountPages(site, entry.served, options, async () => {
  throw new Error('only the heads of pages are asked for')
})

/** Returns the URLs of this site in a page: links, pictures, films, and absolute ones for other sites. */
function addressesIn(html: string): string[] {
  const links = [...html.matchAll(/\s(?:href|src|poster)="([^"]*)"/g)].map((match) => match[1]!)
  const described = [...html.matchAll(/\scontent="(https?:[^"]*)"/g)].map((match) => match[1]!)
  const sets = [...html.matchAll(/\s(?:srcset|imagesrcset)="([^"]*)"/gi)].flatMap((match) =>
    match[1]!.split(',').map((each) => each.trim().split(' ')[0]!),
  )
  return [...links, ...described, ...sets]
    .map((address) => (address.startsWith(`${origin}/`) ? address.slice(origin.length) : address))
    .filter((address) => /^[/#?](?!\/)/.test(address) && !address.startsWith(build))
}

test('every link of every page leads to a page, a place in it, a file or a document that is there', async () => {
  const pages = entry.served.filter((each) => 'isReady' in each)
  const texts = new Map<string, string>()
  for (const { path } of pages)
    for (const language of languagesAt(path)) texts.set(`${path} ${language}`, await render(path, language))
  const broken: string[] = []
  let count = 0
  for (const [page, html] of texts) {
    for (const address of addressesIn(html)) {
      count += 1
      const [path = '', id] = address.replaceAll('&amp;', '&').split('#')
      const target = path.startsWith('/') ? (path.split('?')[0] ?? '') : page.split(' ')[0]!
      const isPage = matchRoute(target) !== null
      const isOk = isPage || (await site.inject({ method: 'HEAD', url: path })).statusCode === 200
      const there = texts.get(`${target} ${page.split(' ')[1]}`) ?? ''
      if (!isOk || (id && !there.includes(` id="${decodeURIComponent(id)}"`)))
        broken.push(`${page}: ${address}`)
    }
  }
  expect(count).toBeGreaterThan(500)
  expect([...new Set(broken)]).toEqual([])
})

test('every link in a mail leads to a page', () => {
  const config = readConfig({ PUBLIC_URL: origin })
  for (const [name, link] of Object.entries(mailLinks)) {
    const make = link as (...values: unknown[]) => string
    expect([name, matchRoute(new URL(make(config, 'a@example.org', 'b/?#')).pathname)]).toEqual([
      name,
      expect.objectContaining({ route: expect.anything() as unknown }),
    ])
  }
})

/** The notices quote other projects' licenses, which refer to their own files. */
const texts = listPaths().filter(
  (path) => path.endsWith('.md') && !path.startsWith('content/') && path !== 'THIRD-PARTY-NOTICES.md',
)

test('every file that a text of the repository links to or names is there', () => {
  const names = new Set(listPaths().map((path) => path.split('/').findLast(Boolean)!))
  const missing = texts.flatMap((text) => {
    const links = [...textOf(text).matchAll(/\]\((?!https?:|mailto:)([^)#]+)/g)].map((match) => match[1]!)
    const named = [...textOf(text).matchAll(/`([\w.-]+\/)*(\w[\w-]*(\.[\w-]+)*\.(tsx?|md|sql|json|mjs))`/g)]
    return [
      ...links.filter((link) => !isThere(normalize(join(text, '..', link)))),
      ...named.map((match) => match[2]!).filter((name) => !names.has(name)),
    ].map((name) => `${text}: ${name}`)
  })
  expect(texts.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})
