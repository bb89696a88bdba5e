import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { apiBase } from '#api/app.ts'
import { callInProcess } from '#api/platform/http/call-in-process.ts'
import { readContentFiles } from '#api/platform/site-content/content-files.ts'
import { exportContent } from '#api/publishing/content/editing/command/export-content.ts'
import { checkContent } from '#api/publishing/content/rules/check-content.ts'
import { type GivenContent, readGiven } from '#api/publishing/content/rules/read-given.ts'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { aContentDesk } from '#tests/content-desk.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { anEmail, goodPassword } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import * as entry from '#web/entry.server.tsx'
import { serveForMachines } from '../../serve/crawler-endpoints.ts'
import { respondNotFound } from '../../serve/error-responses.ts'
import { mountPages } from '../../serve/page-routes.ts'
import { makeCachedPages } from '../../serve/response-cache/cached-pages.ts'
import { sharePictures } from '../../serve/share-pictures.ts'
import { folderWithSpanish, spanish } from './content-with-spanish.ts'

// A language is a folder and a line. Nothing in the program knows Spanish, and the type names only the two complete
// languages.
const es = 'es' as Language

const origin = 'https://coin.example'
const root = join(import.meta.dirname, '../..')
const files = { languageCheck: '/l.js', entry: '/e.js', page: '/p.js', styles: [], modules: [], fonts: [] }

type Site = {
  api: TestApi
  get(url: string, headers?: Record<string, string>): ReturnType<TestApi['send']>
  /** Returns the page without the data for its scripts. */
  html(url: string, headers?: Record<string, string>): Promise<string>
}

/** Starts the API and pages of the program with the languages that the content lists. */
async function startSite(until?: (end: () => Promise<void>) => void): Promise<Site> {
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
function completeSpanish({ services }: TestApi): void {
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

let site: Site
let end: () => Promise<void>
beforeAll(async () => {
  site = await startSite((stop) => void (end = stop))
})
afterAll(() => end())

test('the line in the list is all that it takes', () => {
  expect(languages).toEqual(['en', 'cn', 'es'])
})

test('its pages have addresses of their own, and the choice of a reader is kept', async () => {
  const { get } = site
  const page = await get('/es/help')
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('<html lang="es">')
  expect(page.headers['content-language']).toBe('es')
  expect(page.headers['set-cookie']).toContain('language=es;')
  expect((await get('/help', { cookie: 'language=es' })).body).toContain('<html lang="es">')
  expect((await get('/es/help', { cookie: 'language=cn' })).body).toContain('<html lang="es">')
  const chosen = await get('/cn/help?language=es')
  expect([chosen.statusCode, chosen.headers.location]).toEqual([303, '/help'])
  expect(chosen.headers['set-cookie']).toContain('language=es;')
  const nowhere = await get('/es/nowhere', { accept: 'text/html' })
  expect(nowhere.headers.location).toBe('/es/?notice=not-found')
  // Member pages have one address in all languages.
  expect((await get('/account/user-info', { cookie: 'language=es' })).body).toContain('<html lang="es">')
  expect((await get('/es/account/user-info')).statusCode).toBe(404)
})

test('every page in it is whole: what is missing is English, and a sentence says so', async () => {
  const { html } = site
  for (const path of [
    '/es/',
    '/es/project',
    '/es/help',
    '/es/news',
    '/es/ambassador-program',
    '/es/legal/privacy',
  ]) {
    const page = await html(path)
    expect(page, path).toContain(spanish.notice)
    expect(page.match(/<h1[\s>]/g), path).toHaveLength(1)
    expect(page, path).not.toMatch(/undefined|\{\w+\}/)
  }
  const home = await html('/es/')
  expect(home).toContain('>Español<')
  expect(home).toContain('Idioma')
  expect(home).toContain(spanish.tagline)
  for (const other of ['/help', '/cn/help']) expect(await html(other)).not.toContain(spanish.notice)
})

test('the menu leads to each language by its own name, without script', async () => {
  const { html } = site
  const links = [
    ...(await html('/')).matchAll(/<a href="\?language=(\w+)"[^>]*lang="([\w-]+)"[^>]*>([^<]+)/g),
  ]
  const offered = links.map(([, code, tag, name]) => `${code} ${tag} ${name}`)
  expect(offered.slice(0, 3)).toEqual(['en en English', 'cn zh-Hans 中文', 'es es Español'])
})

test('a legal text that is not wholly translated is English as a whole, and says so', async () => {
  const { html } = site
  const page = await html('/es/legal/terms')
  expect(page).toContain('<div lang="en">')
  expect(page).toContain(spanish.englishLaw)
  expect(page).toContain('>Terms of use<')
  expect(page).not.toContain('Condiciones de uso')
  expect(await html('/legal/terms')).not.toContain('<div lang="en">')
})

test('until it is complete search engines are told nothing of it', async () => {
  const { get, html, api: started } = await startSite()
  expect(await html('/es/help')).toContain('<meta name="robots" content="noindex">')
  expect(await html('/help')).not.toContain('hreflang="es" href="https')
  expect((await get('/sitemap.xml')).body).not.toContain('/es')
  expect((await get('/llms.txt')).body).not.toContain('/es/')

  completeSpanish(started)
  const page = await html('/es/help')
  expect(page).not.toContain('noindex')
  expect(page).not.toContain(spanish.notice)
  expect(page).toContain(`<link rel="canonical" href="${origin}/es/help">`)
  for (const path of ['/help', '/cn/help', '/es/help']) {
    const links = [...(await html(path)).matchAll(/rel="alternate" hreflang="([\w-]+)" href="([^"]+)"/g)]
    expect(links.map(([, tag, to]) => `${tag} ${to}`)).toEqual([
      `en ${origin}/help`,
      `zh-Hans ${origin}/cn/help`,
      `es ${origin}/es/help`,
      `x-default ${origin}/help`,
    ])
  }
  const { body } = await get('/sitemap.xml')
  expect(body).toContain(`<loc>${origin}/es/help</loc>`)
  expect(body).toContain(`hreflang="es" href="${origin}/es/help"`)
  expect((await get('/llms.txt')).body).toContain(`[Español](${origin}/es/llms.txt)`)
  expect(await html('/es/legal/terms')).not.toContain('lang="en">')
})

test('feeds, manifest, guide and share picture are there from the first day', async () => {
  const { get, html } = site
  const atom = (await get('/es/news.atom')).body
  expect(atom).toContain('xml:lang="es"')
  expect(atom).toContain(`href="${origin}/es/news.atom"`)
  expect(atom).not.toContain('<entry>')
  const json = (await get('/es/news.json')).json<{ language: string; items: unknown[] }>()
  expect(json).toMatchObject({ language: 'es', items: [] })
  const manifest = (await get('/es/manifest.webmanifest')).json<object>()
  expect(manifest).toMatchObject({ lang: 'es', description: spanish.tagline })
  expect((await get('/es/verify-a-post.txt')).body).toBe((await get('/verify-a-post.txt')).body)
  expect((await get('/es/llms.txt')).body).toContain('-en.pdf')
  const page = await html('/es/help')
  expect(page).toContain('<meta property="og:locale" content="es_ES">')
  expect(page).toContain(`content="${origin}/assets/share/help-en.png"`)
  expect(page).toContain('href="/es/manifest.webmanifest"')
  expect(page).toContain('href="/es/news.atom"')
})

test('a document without a Spanish edition is the English one, and says so; films have the captions that there are', async () => {
  const { html } = site
  const help = await html('/es/help')
  expect(help).toMatch(/href="\/assets\/pdfs\/[\w-]+-en\.pdf" hrefLang="en"/)
  expect(help).not.toContain('-cn.pdf')
  const inEnglish = (await html('/cn/help')).match(/-en\.pdf"/g)?.length ?? 0
  expect(help.match(/-en\.pdf"/g)!.length).toBeGreaterThan(inEnglish)
  expect(help).toContain('In English')
  expect(await html('/es/')).not.toContain('-es.vtt')
})

test('a member who reads Spanish is stored as one, and hears from the API in it as far as it goes', async () => {
  const { api: started } = site
  const headers = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' }
  const missing = await started.call(api.getPost, { params: { lang: 'es', slug: 'no-such' } }, { headers })
  expect(missing.problem.detail).toBe(spanish.notFound)
  const wrong = { body: { email: anEmail(), password: 'wrong password' } }
  const unknown = await started.call(api.signIn, wrong, { headers })
  const inEnglish = await started.call(api.signIn, wrong)
  expect(unknown.problem.detail).toBe(inEnglish.problem.detail)

  const email = anEmail()
  await started.call(api.createMember, { body: { email, password: goodPassword } }, { headers })
  const member = started.services.db.selectFrom('member').select('language').where('email', '=', email)
  expect(await member.executeTakeFirstOrThrow()).toEqual({ language: 'es' })
  await started.call(api.requestPasswordReset, { body: { email } }, { headers })
  const subjects = (await started.mailsTo(email)).map(({ subject }) => subject.split(' ')[0])
  expect(subjects).toEqual(['Activate', 'Su'])
})

test('its news are its own', async () => {
  const { api: started, get } = await startSite()
  const newsroom = await aNewsroom(started)
  const post = await newsroom.create({ title: 'Noticia de muestra', language: es })
  const read = await started.call(api.listAnnouncements, { params: { lang: 'es' }, query: {} })
  expect(read.body.map(({ title }) => title)).toEqual(['Noticia de muestra'])
  expect((await get('/es/news.atom')).body).toContain(`${origin}/es/news/${post.slug}`)
  expect((await get('/es/news')).body).toContain('Noticia de muestra')
  expect((await newsroom.list({ language: es })).map(({ language }) => language)).toEqual(['es'])
  expect(await newsroom.list({ missing: 'cn' })).toHaveLength(1)
})

const changed = (file: string, value: unknown): GivenContent => {
  const { given } = readGiven(folderWithSpanish)
  return { ...given, json: (name) => (name === file ? value : given.json(name)) }
}

test('what it lacks breaks no rule; what is wrong in it does', () => {
  const { given, found } = readGiven(folderWithSpanish)
  expect([...found, ...checkContent(given)]).toEqual([])
  const codes = (file: string, value: unknown) =>
    checkContent(changed(file, value)).map((each) => [each.file, each.place, each.code].join(' '))
  const file = 'messages/es/layout.json'
  expect(codes(file, { 'layout.no.such': 'Nada' })).toEqual([`${file} layout.no.such unknown_key`])
  expect(codes(file, { 'layout.language.menu': 'Idioma {x}' })).toEqual([
    `${file} layout.language.menu placeholders`,
  ])
  expect(codes(file, { 'layout.language.menu': '<b>Idioma' })[0]).toContain('tags')
  const mails = given.json('emails/es.json') as Record<string, object>
  const mail = mails['password-reset']!
  const ofMail = (change: object) => codes('emails/es.json', { 'password-reset': { ...mail, ...change } })
  expect(ofMail({ subject: 'Su {secreto}' })).toEqual(['emails/es.json password-reset placeholders'])
  expect(ofMail({ before: 'Hola' })).toEqual(['emails/es.json password-reset.before not_a_value'])
  expect(codes('emails/es.json', { 'no-mail': mail })).toEqual(['emails/es.json no-mail unknown_key'])
  const listed = given.json('languages.json') as Record<string, object>
  const wrong = { ...listed, es: { ...listed['es'], prefix: '/news' } }
  expect(codes('languages.json', wrong)[0]).toContain('languages.json es.prefix')
  const { en: _, ...others } = given.json('messages/cn/layout.json') as Record<string, string>
  const { 'layout.language.menu': menu, ...rest } = others
  expect(menu).toBeTruthy()
  expect(codes('messages/cn/layout.json', rest)).toEqual([
    'messages/cn/layout.json layout.language.menu missing',
  ])
})

test('texts that are there in the console alone keep the rules, can be exported, and can be taken away again', async () => {
  const { api: started } = site
  const { services } = started
  const desk = await aContentDesk(started)
  const piece = 'messages/home'
  const [key] = Object.keys(services.content.words('en', 'home')!)
  const saved = async (text: string) => (await desk.save(piece, { [`es.${key}`]: text })).found
  for (const [text, code] of [
    ['Con {secreto}', 'placeholders'],
    ['<b>Sin fin', 'tags'],
    ['x'.repeat(6000), 'too_long'],
    ['', 'empty'],
  ] as const) {
    expect((await saved(text)).map((each) => each.code)).toContain(code)
    expect((await desk.publish([piece])).problem.code).toBe('content_broken')
  }
  const gaps = services.content.gapsIn(es)
  await desk.put(piece, { [`es.${key}`]: 'En español' })
  expect(services.content.words(es, 'home')![key!]).toBe('En español')
  expect(services.content.gapsIn(es)).toBe(gaps - 1)

  const folder = mkdtempSync(join(tmpdir(), 'content-es-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(folderWithSpanish, folder, {
    recursive: true,
    filter: (source) => !source.includes('/media') && !source.includes('/samples/documents'),
  })
  mkdirSync(join(folder, 'media/pdfs'), { recursive: true })
  const list = 'media/pdfs/documents.json'
  cpSync(join(folderWithSpanish, list), join(folder, list))
  expect(await exportContent(services, folder)).toEqual(['messages/es/home.json'])
  expect(JSON.parse(readFileSync(join(folder, 'messages/es/home.json'), 'utf8'))).toEqual({
    [key!]: 'En español',
  })
  expect(await exportContent(services, folder)).toEqual([])

  // Restores the original version.
  const { body: versions } = await desk.call(api.listContentVersions, { query: { piece } })
  const { version } = await desk.read(piece)
  await desk.call(api.restoreContentVersion, { params: { id: versions.at(-1)!.id }, body: { version } })
  expect((await desk.publish([piece])).status).toBe(200)
  expect(services.content.gapsIn(es)).toBe(gaps)
})
