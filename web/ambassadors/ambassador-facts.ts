import { documents } from '#content/brand.json'
import ambassadors from '#content/facts/ambassadors.json'
import films from '#content/facts/films.json'
import type { Language } from '#contract/fields.ts'
import { findDocument } from '../documents/find-document.ts'

/** Optional fields that the content schema allows but the present content may not use. */
type Entry = {
  id: string
  photo?: string
  profile?: string
  special?: boolean
  since?: string
  until?: string
} & Record<Language, { name: string; location: string }>

/** What the ambassador page says, in one language: the other language is not sent to the browser. */
export function ambassadorFacts(language: Language) {
  const film = films.find(({ place }) => place === 'ambassador')
  if (!film) throw new Error('content has no film for ambassadors')
  const people = ambassadors
    .filter(({ until }: Entry) => until === undefined)
    .map((entry: Entry) => entryIn(language, entry))
  return {
    ebook: findDocument(documents.ambassadorEbook, language),
    special: people.filter(({ isSpecial }) => isSpecial),
    others: people.filter(({ isSpecial }) => !isSpecial),
    film: { file: film.file, seconds: film.seconds, ...film[language] },
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

/** An entry of the file by the address of its page. */
export function ambassadorEntry(language: Language, slug: string) {
  const entry: Entry | undefined = ambassadors.find(({ id }) => id === slug)
  return entry && { ...entryIn(language, entry), since: entry.since, until: entry.until }
}

export type AmbassadorFacts = ReturnType<typeof ambassadorFacts>
export type Ambassador = AmbassadorFacts['others'][number]
