import type { Call } from '../call/call.ts'
import { readFacts } from '#contract/content.ts'
import type { ShownFacts } from '#contract/shown-content.ts'

/** What the files of `shownFacts` say, by their names for the API. */
export type FactFiles = {
  documents: typeof import('#content/media/pdfs/documents.json')
  'facts/ambassadors.json': typeof import('#content/facts/ambassadors.json')
  'facts/coin-facts.json': typeof import('#content/facts/coin-facts.json')
  'facts/comparison.json': typeof import('#content/facts/comparison.json')
  'facts/faq.json': typeof import('#content/facts/faq.json')
  'facts/features.json': typeof import('#content/facts/features.json')
  'facts/films.json': typeof import('#content/facts/films.json')
  'facts/manuals.json': typeof import('#content/facts/manuals.json')
  'facts/partners.json': typeof import('#content/facts/partners.json')
  'facts/roadmap.json': typeof import('#content/facts/roadmap.json')
  'facts/synergy.json': typeof import('#content/facts/synergy.json')
  'facts/team.json': typeof import('#content/facts/team.json')
  'facts/technical-help.json': typeof import('#content/facts/technical-help.json')
}
export type FactFile = ShownFacts

/** What some files say. Pages pick from it what they show, in their language. */
export type Facts<File extends FactFile> = Pick<FactFiles, File>
export type ReadFacts = <File extends FactFile>(...files: readonly File[]) => Promise<Facts<File>>

/** As the API answers now. */
export const factsFrom =
  (call: Call): ReadFacts =>
  async (...files) =>
    // The API answers what has passed the rules of the content.
    (await call(readFacts, { query: { files: files.join(',') } })).facts as FactFiles
