import ownBrand from '#content/brand.json' with { type: 'json' }
import type { Language } from '#contract/platform/fields.ts'
import type { SearchResult } from '#contract/publishing/search.ts'
import { isRecord } from '../../platform/is-record.ts'
import type { SiteContent } from '../../platform/site-content/site-content.ts'
import { searchedPages, type SearchedSection } from './searched-pages.ts'

/** Something that a search can find. */
export type Entry = Pick<SearchResult, 'kind' | 'address' | 'page' | 'postedDate'> & {
  title: string
  text: string
}

/** Values of placeholders other than those of the brand. */
export type Values = Readonly<Record<string, string>>

type Question = { id: string } & Partial<Record<Language, { question: string; answer: string[] }>>
type MainQuestion = { id: string } & Partial<
  Record<Language, { question: string; intro: string; items: string[] }>
>
type Manual = { id: string; fileTitle: string } & Partial<
  Record<Language, { title: string; description: string }>
>

/** Lists everything on the public pages that a search can find, except posts, in one language. */
export function listEntries(content: SiteContent, language: Language, values: Values): Entry[] {
  const words = content.allWords(language)
  const known = { brand: ownBrand.name, ticker: ownBrand.ticker, email: content.brand().email, ...values }
  const say = (key: string) => plainText(words[key] ?? '', known)
  const sayAll = (keys: readonly string[], without = '') =>
    keys
      .flatMap((key) =>
        key.endsWith('.') ? Object.keys(words).filter((each) => each.startsWith(key)) : [key],
      )
      .filter((key) => key !== without)
      .map(say)
      .filter((text) => text !== '')
  const pages = searchedPages.flatMap(({ path, name: nameKey, texts, sections }) => [
    { kind: 'page' as const, address: path, title: say(nameKey), page: null, text: sayAll(texts).join(' ') },
    ...sections.flatMap((section) => {
      const listed = textsInList(content, section, language)
      if (section.list && listed.length === 0) return []
      const title = say(section.heading)
      const text = [...sayAll(section.texts, section.heading), ...listed].join(' ')
      return { kind: 'page' as const, address: `${path}#${section.anchor}`, title, page: say(nameKey), text }
    }),
  ])
  const found = [
    ...pages,
    ...listQuestions(content, language, say('layout.nav.help')),
    ...listDocuments(content, language, say),
  ]
  return found.map((entry) => ({ ...entry, postedDate: null }))
}

/**
 * Returns a message without its tags. Returns nothing for a message with a value that only the page knows, because the
 * result couldn't show it.
 */
function plainText(message: string, known: Values): string {
  const filled = message
    .replaceAll(/<\/?\w+>/g, '')
    .replaceAll(/\{(\w+)\}/g, (placeholder, key: string) => known[key] ?? placeholder)
  return /\{\w+\}/.test(filled) ? '' : filled
}

function textsInList(content: SiteContent, { list }: SearchedSection, language: Language): string[] {
  if (!list) return []
  const entries = content.facts(list.file)
  if (!Array.isArray(entries) || list.place === undefined) return textsIn(entries, language)
  return entries
    .filter((entry) => isRecord(entry) && entry['place'] === list.place)
    .flatMap((entry) => (isRecord(entry) ? allTexts(entry[language]) : []))
}

/** Returns the texts of a list in one language, from the records under the language's code. */
function textsIn(value: unknown, language: Language): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, language))
  if (!isRecord(value)) return []
  const others = Object.entries(value).filter(([key]) => key !== language)
  return [...allTexts(value[language]), ...others.flatMap(([, each]) => textsIn(each, language))]
}

function allTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(allTexts)
  return isRecord(value) ? Object.values(value).flatMap(allTexts) : []
}

function listQuestions(content: SiteContent, language: Language, page: string) {
  const faq = content.facts('facts/faq.json') as { main: MainQuestion; questions: Question[] }
  const technical = content.facts('facts/technical-help.json') as Question[]
  const { id, [language]: main } = faq.main
  const asked = [
    ...(main ? [{ id, question: main.question, answer: [main.intro, ...main.items] }] : []),
    ...[...faq.questions, ...technical].flatMap((each) => {
      const said = each[language]
      return said ? [{ id: each.id, ...said }] : []
    }),
  ]
  return asked.map(({ id: anchor, question, answer }) => ({
    kind: 'question' as const,
    address: `/help#${anchor}`,
    title: question,
    page,
    text: answer.join(' '),
  }))
}

/** The documents that pages link to: the manuals, the brochure, the white paper, and the brand's other documents. */
function listDocuments(content: SiteContent, language: Language, say: (key: string) => string) {
  const files = content.documents()
  const { brochure, whitePaper, ambassadorEbook, others = [] } = content.brand().documents
  const project = say('layout.nav.project')
  const help = say('layout.nav.help')
  const manuals = (content.facts('facts/manuals.json') as Manual[]).flatMap((manual) => {
    const said = manual[language]
    return said ? [{ base: manual.fileTitle, title: said.title, text: said.description, page: help }] : []
  })
  const offered = [
    ...manuals,
    { base: brochure, text: say('project.hero.brochure'), page: project },
    { base: whitePaper, text: say('project.hero.whitePaper'), page: project },
    { base: ambassadorEbook, text: say('ambassador.hero.ebook'), page: say('layout.nav.ambassadors') },
    ...others.map((base) => ({ base, text: '', page: project })),
  ]
  return offered.flatMap(({ base, text, page, ...given }) => {
    const ofBase = files.filter((each) => each.base === base)
    const found =
      ofBase.find((each) => each.language === language) ?? ofBase.find((each) => each.language === 'en')
    if (!found) return []
    const title = 'title' in given ? given.title : found.title
    return { kind: 'document' as const, address: `/assets/pdfs/${found.file}`, title, page, text }
  })
}
