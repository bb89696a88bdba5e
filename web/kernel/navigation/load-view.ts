import { readBrand } from '#contract/publishing/content.ts'
import type { Language } from '#contract/platform/fields.ts'
import { languages } from '#contract/platform/languages.ts'
import { call, CallFailed } from '../call/call.ts'
import { brandIn, type LocalizedBrand } from '../content/brand.tsx'
import { loadedBrand } from '../content/known-content.ts'
import { loadFacts } from '../content/load-facts.ts'
import { loadMessages } from '../content/load-messages.ts'
import type { Namespace } from '../i18n/message-key.ts'
import { say, currentLanguage } from '../i18n/current-language.ts'
import type { LoadContext, Page } from '../routes/page.ts'
import type { RouteMatch } from '../routes/match-route.ts'
import { queryFor } from '../routes/route.ts'
import { knowRoute, loadPage, type Route } from '../routes/routes.ts'
import { prepareFrame } from './prepare-frame.ts'
import { present } from './present.ts'
import type { Arrival, View } from './view.ts'

/** A script of this build or the messages could not be loaded: after a deployment, or without a connection. */
export class ChunkMissing extends Error {}

/** Starts all requests that need no sign-in, so that `loadView` finds them in progress and reports failures. */
export function requestViewData({ route }: RouteMatch, language: Language, arrival: Arrival): void {
  const requests = [
    loadPage(route),
    knowRoute(route).then((known) => loadMessages(language, wordsFor(known))),
    prepareFor(route, language, arrival),
  ]
  for (const each of requests) each.catch(() => {})
}

const wordsFor = ({ words }: Route): Namespace[] => ['layout', 'errors', 'meta', ...words]

const prepareFor = (route: Route, language: Language, arrival: Arrival): Promise<void> =>
  prepareFrame(route, arrival === 'first' && language === currentLanguage())

/** The page includes the brand in its own language. Other languages are requested when the reader switches to them. */
async function loadBrand(language: Language): Promise<LocalizedBrand> {
  const known = loadedBrand.get(language)
  if (known) return known
  const brand = await call(readBrand, {})
  const { origin } = location
  for (const each of languages) loadedBrand.set(each, brandIn(each, brand, origin))
  return brandIn(language, brand, origin)
}

/** Loads everything that a page needs in parallel: its script, its messages, and its data. */
export async function loadView(
  url: URL,
  match: RouteMatch,
  language: Language,
  arrival: Arrival,
): Promise<View> {
  const missing = (cause: unknown) => Promise.reject(new ChunkMissing('', { cause }))
  const { params } = match
  const route = await knowRoute(match.route).catch(missing)
  const [page, messages, brand] = await Promise.all([
    loadPage(route).catch(missing),
    loadMessages(language, wordsFor(route)).catch(missing),
    loadBrand(language).catch(missing),
    prepareFor(route, language, arrival).catch(missing),
  ])
  const query = queryFor(route, url.searchParams)
  const [content] = await Promise.all([
    loadContent(page, { call, facts: loadFacts, brand, language, params, query }),
    page.parts?.load().catch(missing),
  ])
  return { url, route, params, language, messages, brand, content, arrival, onShown: present }
}

async function loadContent(page: Page, context: LoadContext): Promise<View['content']> {
  try {
    return { kind: 'page', page, data: await page.load?.(context) }
  } catch (failure) {
    if (!(failure instanceof CallFailed)) console.error(failure)
    else if (failure.status === 401) throw failure
    return {
      kind: 'failed',
      message: failure instanceof CallFailed ? failure.message : say('errors.unexpected'),
    }
  }
}
