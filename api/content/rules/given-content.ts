import { languages } from '#contract/languages.ts'

/** Content to check: what files say, or would say with what is published over them. */
export type GivenContent = {
  /** The value of a file under `content/`; undefined where there is none. */
  json(file: string): unknown
  /** The names in a folder under `content/`, without hidden ones. */
  names(folder: ContentFolder): readonly string[]
}

export const contentFolders = [
  'facts',
  ...languages.map((language) => `messages/${language}` as const),
  'media/pdfs',
  'media/films',
  'media/people',
] as const
export type ContentFolder = (typeof contentFolders)[number]
