/** The data file with the list of documents to download. */
export const documentsFile = 'documents'

/** The data files that public pages show. `readFacts` returns no other file. */
export const publicDataFiles = [
  documentsFile,
  'facts/ambassadors.json',
  'facts/coin-facts.json',
  'facts/comparison.json',
  'facts/faq.json',
  'facts/features.json',
  'facts/films.json',
  'facts/manuals.json',
  'facts/partners.json',
  'facts/roadmap.json',
  'facts/synergy.json',
  'facts/team.json',
  'facts/technical-help.json',
] as const
export type PublicDataFile = (typeof publicDataFiles)[number]
