import type { Language } from '#contract/platform/fields.ts'
import type { LocalizedBrand } from '../kernel/content/brand.tsx'
import type { FactFiles, Facts } from '../kernel/content/facts.ts'
import { findDocument } from '../kernel/documents/find-document.ts'

type Entry = FactFiles['facts/ambassadors.json'][number]

export const ambassadorFactFiles = ['documents', 'facts/ambassadors.json', 'facts/films.json'] as const

/** Returns the data of the ambassador page in one language, so that the other is not sent to the browser. */
export function ambassadorFacts(
  facts: Facts<(typeof ambassadorFactFiles)[number]>,
  brand: Pick<LocalizedBrand, 'documents'>,
  language: Language,
) {
  const film = facts['facts/films.json'].find(({ place }) => place === 'ambassador')
  const people = facts['facts/ambassadors.json']
    .filter(({ until }) => until === undefined)
    .map((entry) => entryIn(language, entry))
  return {
    ebook: findDocument(facts.documents, brand.documents.ambassadorEbook, language),
    special: people.filter(({ isSpecial }) => isSpecial),
    others: people.filter(({ isSpecial }) => !isSpecial),
    film: film
      ? { file: film.file, seconds: film.seconds, subtitled: film.subtitled, ...film[language] }
      : null,
  }
}

const entryIn = (language: Language, { id, photo, profile, special, [language]: words }: Entry) => ({
  id,
  slug: id,
  photo: photo && `/assets/people/${photo}`,
  profile,
  isSpecial: special === true,
  ...words,
})

export function ambassadorEntry(facts: Facts<'facts/ambassadors.json'>, language: Language, slug: string) {
  const entry = facts['facts/ambassadors.json'].find(({ id }) => id === slug.toLowerCase())
  if (!entry) return undefined
  const { since, until, note } = entry
  return { ...entryIn(language, entry), since, until, isSample: note === 'sample' }
}

export type AmbassadorFacts = ReturnType<typeof ambassadorFacts>
export type Ambassador = AmbassadorFacts['others'][number]
