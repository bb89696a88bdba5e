import { languages } from '#contract/platform/languages.ts'
import type { Call } from '../kernel/call/call.ts'
import { messagesFrom } from '../kernel/content/messages-from.ts'
import { interpolate } from '../kernel/i18n/interpolate.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import { plainColors, themeColors } from './theme-colors.ts'

export const offlinePaths = { page: '/offline.html', style: '/offline.css', worker: '/sw.js' }

const escape = (said: string): string => said.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * The page that browsers show without a connection. It contains the text in every language, because the worker that
 * sends it doesn't know the reader's choice. Its link reloads the requested address.
 */
export async function offlineHtml(call: Call): Promise<string> {
  const parts = await Promise.all(
    languages.map(async (language, at) => {
      const messages = await messagesFrom(call, language, ['offline'])
      const say = (key: PlainKey) => escape(interpolate(messages[key] ?? '', language))
      const level = at === 0 ? 'h1' : 'h2'
      return {
        title: say('offline.title'),
        html:
          `<section lang="${htmlLanguage[language]}"><${level}>${say('offline.title')}</${level}>` +
          `<p>${say('offline.text')}</p><p><a href="">${say('offline.retry')}</a></p></section>`,
      }
    }),
  )
  return [
    `<!doctype html><html lang="${htmlLanguage[languages[0]]}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">',
    `<title>${parts.map(({ title }) => title).join(' · ')}</title>`,
    `<link rel="stylesheet" href="${offlinePaths.style}">`,
    `</head><body><main>${parts.map(({ html }) => html).join('')}</main></body></html>`,
  ].join('')
}

const palette = (scheme: 'light' | 'dark'): string =>
  `:root{color-scheme:${scheme};background:${themeColors[scheme]};color:${plainColors.text[scheme]}}` +
  `section+section{border-color:${plainColors.textQuiet[scheme]}}a{color:${plainColors.copper[scheme]}}`

export const offlineCss = [
  'body{margin:0;padding:12vh 6vw;font:1.0625rem/1.6 "Source Sans 3",system-ui,sans-serif}',
  'main{display:grid;gap:2rem;max-width:34rem}',
  'section+section{padding-top:2rem;border-top:1px solid}',
  'h1,h2{margin:0;font:400 1.75rem/1.25 Georgia,serif}p{margin:.75rem 0 0}',
  'a{display:inline-block;padding-block:.6rem}',
  ':lang(zh){line-height:1.75}',
  palette('light'),
  `@media(prefers-color-scheme:dark){${palette('dark')}}`,
].join('')

/**
 * The service worker. It stores only the offline page and its style sheet, and sends them only if a navigation fails,
 * so readers with a connection never see anything outdated. Its code changes with the page (`version`), and a changed
 * worker replaces the stored page.
 */
export const offlineWorker = (version: string): string => `const cacheName = 'offline-${version}'
const [page, style] = ${JSON.stringify([offlinePaths.page, offlinePaths.style])}
const stored = async (path) => (await caches.match(path, { ignoreVary: true })) ?? Response.error()

addEventListener('install', (event) => {
  const files = [page, style].map((path) => new Request(path, { cache: 'reload' }))
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)).then(() => skipWaiting()))
  // Where browsers support it, other requests don't wait for this worker.
  const routes = [
    { condition: { requestMode: 'navigate' }, source: 'fetch-event' },
    { condition: { urlPattern: style }, source: 'fetch-event' },
    { condition: { urlPattern: '/*' }, source: 'network' },
  ]
  event.waitUntil(Promise.resolve(event.addRoutes?.(routes)).catch(() => {}))
})

addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name)
      // The browser requests the page while this worker starts, so that the worker doesn't delay it.
      await registration.navigationPreload?.enable()
    })(),
  )
})

async function load({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return stored(page)
  }
}

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(load(event))
  else if (new URL(request.url).pathname === style) event.respondWith(fetch(request).catch(() => stored(style)))
})
`

/** A worker that removes what an earlier worker stored, and then itself. */
export const clearingWorker = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) await caches.delete(name)
      await registration.unregister()
    })(),
  )
})
`
