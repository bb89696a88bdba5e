import { documents } from '#content/brand.json'
import ambassadors from '#content/facts/ambassadors.json'
import films from '#content/facts/films.json'
import type { Language } from '#contract/fields.ts'
import { findDocument } from '../documents/find-document.ts'

/** Optional fields that the content schema allows but the present content may not use. */
type Entry = { id: string; photo?: string; profile?: string; special?: boolean } & Record<
  Language,
  { name: string; location: string }
>

/** What the ambassador page says, in one language: the other language is not sent to the browser. */
export function ambassadorFacts(language: Language) {
  const film = films.find(({ place }) => place === 'ambassador')
  if (!film) throw new Error('content has no film for ambassadors')
  const people = ambassadors.map(({ id, photo, profile, special, [language]: words }: Entry) => ({
    id,
    photo,
    profile,
    isSpecial: special === true,
    ...words,
  }))
  return {
    ebook: findDocument(documents.ambassadorEbook, language),
    special: people.filter(({ isSpecial }) => isSpecial),
    others: people.filter(({ isSpecial }) => !isSpecial),
    film: { file: film.file, seconds: film.seconds, ...film[language] },
  }
}

export type AmbassadorFacts = ReturnType<typeof ambassadorFacts>
export type Ambassador = AmbassadorFacts['others'][number]
