import type { Language } from '#contract/fields.ts'
import type { Rendered } from '#web/entry.server.tsx'
import { compress, keepBody, type KeptBody } from './kept-body.ts'

/** `path` with what the page shows of the query. */
export type Place = { path: string; topic: string | null }
/** `location` is where a page has moved to for good. */
export type KeptPage = { status: number; body: KeptBody; location?: string }
export type GetPage = (place: Place, language: Language) => Promise<KeptPage>

type PageCache = {
  get: GetPage
  /** Renders and compresses before anybody asks. */
  prepare: (place: Place, language: Language) => Promise<void>
  forget: (topic: string) => void
}

/** Anybody may ask for any page of a long list: the pages that were asked for first are forgotten first. */
const keptMax = 1000

/** Rendered pages by address and language. Whoever asks while one is being rendered waits for the same. */
export function makePageCache(render: (path: string, language: Language) => Promise<Rendered>): PageCache {
  const kept = new Map<string, { topic: string | null; page: Promise<KeptPage> }>()

  async function renderPage(path: string, language: Language): Promise<KeptPage> {
    const rendered = await render(path, language)
    const body = keepBody('text/html; charset=utf-8', rendered.html)
    return rendered.status === 301
      ? { status: 301, body, location: rendered.location }
      : { status: rendered.status, body }
  }

  const get: GetPage = ({ path, topic }, language) => {
    // The foot of every page names the year.
    const key = `${new Date().getUTCFullYear()} ${language} ${path}`
    const known = kept.get(key)
    if (known) return known.page
    const entry = { topic, page: renderPage(path, language) }
    kept.set(key, entry)
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!)
    const forgetThis = () => void (kept.get(key) === entry && kept.delete(key))
    entry.page.then(({ status }) => status !== 200 && forgetThis(), forgetThis)
    return entry.page
  }

  return {
    get,
    prepare: async (place, language) => compress((await get(place, language)).body),
    forget(topic) {
      for (const [key, entry] of kept) if (entry.topic === topic) kept.delete(key)
    },
  }
}
