import type { DocumentEntry } from '#contract/publishing/console-content-files.ts'
import { readFacts } from '#contract/publishing/content.ts'
import type { Language } from '#contract/platform/languages.ts'
import type { PublicDataFile } from '#contract/publishing/public-content.ts'
import type { Call } from '../call/call.ts'

type Entry<Words> = { id: string } & Readonly<Record<Language, Words>>
type Entries<Words, More = unknown> = readonly (Entry<Words> & More)[]
/** `sample`: a fictional person, as an example. */
type OptionalFields = { note?: string; photo?: string; special?: boolean }
type Question = { question: string; answer: readonly string[] }
/** `page`: the page that the answer links to. */
type WithPage = { page?: 'sale' }

/**
 * Types of the files in `publicDataFiles`, by their names in the API. They follow the content rules
 * (`api/publishing/content/rules/fact-schemas.ts`), not the content of a particular project.
 */
export type FactFiles = {
  documents: readonly DocumentEntry[]
  'facts/ambassadors.json': Entries<
    { name: string; location: string },
    OptionalFields & { profile?: string; since?: string; until?: string }
  >
  'facts/coin-facts.json': Entries<
    { label: string; value: string; unit?: string; note?: string },
    OptionalFields & { date?: string }
  >
  'facts/comparison.json': {
    columns: Entries<{ title: string; note?: string }>
    rows: Entries<{ label: string; values: readonly string[] }>
  }
  'facts/faq.json': {
    main: Entry<{ question: string; intro: string; items: readonly string[]; brochureLabel?: string }>
    questions: Entries<Question, WithPage>
  }
  'facts/features.json': Entries<{ title: string; text: string }>
  'facts/films.json': Entries<
    { title: string; description: string },
    {
      place: 'hero' | 'home' | 'ambassador'
      file: string
      seconds: number
      /** Set if subtitles do not exist in all of the site's languages. */
      subtitled?: readonly Language[]
    }
  >
  'facts/manuals.json': Entries<
    { title: string; description: string },
    { fileTitle: string; hasChinese: boolean }
  >
  'facts/partners.json': Entries<{ name: string; line: string }, OptionalFields & { seed?: number }>
  'facts/roadmap.json': Entries<
    { title: string; text: string },
    { date: string; state: 'done' | 'current' | 'next' }
  >
  'facts/synergy.json': {
    nodes: Entries<{ label: string; text: string }>
    edges: readonly ({ from: string; to: string } & Readonly<Record<Language, { label: string }>>)[]
  }
  'facts/team.json': Entries<
    { title: string },
    {
      members: Entries<
        { name: string; title: string; skills: readonly string[] },
        OptionalFields & { linkedin?: string; links?: Readonly<Record<string, string>> }
      >
    }
  >
  'facts/technical-help.json': Entries<Question, WithPage>
}
export type FactFile = PublicDataFile

/** The content of some data files, from which pages pick what they show in their language. */
export type Facts<File extends FactFile> = Pick<FactFiles, File>
export type ReadFacts = <File extends FactFile>(...files: readonly File[]) => Promise<Facts<File>>

/** Loads data files from the API. */
export const factsFrom =
  (call: Call): ReadFacts =>
  async (...files) =>
    // The API returns only content that has passed the rules.
    (await call(readFacts, { query: { files: files.join(',') } })).facts as FactFiles
