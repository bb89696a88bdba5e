import type { Language } from '#contract/fields.ts'
import { call, CallFailed } from '../call/call.ts'
import { loadBrand } from '../content/load-brand.ts'
import { loadFacts } from '../content/load-facts.ts'
import { loadMessages } from '../content/load-messages.ts'
import { refusalWords } from '../i18n/refusal-words.ts'
import { say } from '../i18n/spoken-now.ts'
import type { LoadContext, Page } from '../routes/page.ts'
import type { RouteMatch } from '../routes/match-route.ts'
import { queryFor } from '../routes/route.ts'
import { loadPage } from '../routes/routes.ts'
import type { Arrival, View } from './view.ts'

/** A script of this build, or the words, could not be loaded: after a deploy, or without a connection. */
export class ChunkMissing extends Error {}

/** Loads everything that a page needs in parallel: its script, its messages and its data. */
export async function loadView(
  url: URL,
  match: RouteMatch,
  language: Language,
  arrival: Arrival,
): Promise<View> {
  const { route, params } = match
  const missing = (cause: unknown) => Promise.reject(new ChunkMissing('', { cause }))
  const [page, messages, brand] = await Promise.all([
    loadPage(route).catch(missing),
    loadMessages(language, ['layout', 'errors', 'meta', ...route.words]).catch(missing),
    loadBrand(language).catch(missing),
  ])
  const query = queryFor(route, url.searchParams)
  const content = await loadContent(page, { call, facts: loadFacts, brand, language, params, query })
  return { url, route, params, language, messages, brand, content, arrival }
}

async function loadContent(page: Page, context: LoadContext): Promise<View['content']> {
  try {
    return { kind: 'page', page, data: await page.load?.(context) }
  } catch (failure) {
    if (!(failure instanceof CallFailed)) console.error(failure)
    else if (failure.status === 401) throw failure
    return {
      kind: 'failed',
      message: failure instanceof CallFailed ? failure.message : say(refusalWords.unexpected),
    }
  }
}
