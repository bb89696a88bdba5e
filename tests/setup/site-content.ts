import { readContentFiles } from '#api/platform/site-content/content-files.ts'
import { makeSiteContent, type SiteContent } from '#api/platform/site-content/site-content.ts'
import { readPublicSale } from '#contract/money/public-sale.ts'
import { readBrand, readFacts, readWords } from '#contract/publishing/content.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import type { Call } from '#web/kernel/call/call.ts'
import { brandIn, type LocalizedBrand } from '#web/kernel/content/brand.tsx'
import type { FactFiles } from '#web/kernel/content/facts.ts'
import { keepMessages, loadedBrand, loadedFacts } from '#web/kernel/content/known-content.ts'

const files = readContentFiles()
const content = makeSiteContent(() => files)

/** All data files in `content/`. */
export const allFacts = Object.fromEntries([
  ...files.facts,
  ['documents', files.documents],
]) as unknown as FactFiles

export const wholeBrand = content.brand()
export const brandOf = (language: Language): LocalizedBrand =>
  brandIn(language, wholeBrand, 'http://localhost')

/** Simulates a browser that already has all content, so that no component waits for it or requests it. */
export function knowAllContent(): void {
  for (const language of languages) {
    keepMessages(language, [...files.words.get(language)!.keys()], content.allWords(language))
    loadedBrand.set(language, brandOf(language))
  }
  for (const [file, facts] of Object.entries(allFacts)) loadedFacts.set(file, facts)
}

const nobody = (() => Promise.reject(new Error('the test answers no such call'))) as Call

/** The content endpoints of the API. `others` handles all other requests. */
export const answeringContent = (others: Call = nobody): Call => answering(content, others)

/** The same with other content than that of the files. */
export const answering = (content: SiteContent, others: Call = nobody): Call =>
  ((endpoint: Endpoint, input: CallOf<Endpoint>) => {
    // Compared by path, because the built program has objects of its own.
    const isCallOf = ({ path }: Endpoint) => endpoint.path === path
    const query = (input.query ?? {}) as { language: Language; files: string }
    if (isCallOf(readBrand)) return Promise.resolve(content.brand())
    if (isCallOf(readFacts)) {
      const asked = query.files.split(',').map((file) => [file, content.facts(file)])
      return Promise.resolve({ facts: Object.fromEntries(asked) as object })
    }
    // Pages that show the sale are also tested without it.
    if (isCallOf(readPublicSale) && others === nobody) return Promise.resolve({ sale: null, isOnHome: false })
    if (!isCallOf(readWords)) return others(endpoint, input)
    const asked = query.files.split(',').map((file) => content.words(query.language, file))
    return Promise.resolve({ words: Object.assign({}, ...asked) as object })
  }) as unknown as Call
