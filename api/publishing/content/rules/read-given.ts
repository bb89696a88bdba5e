import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '#contract/platform/languages.ts'
import { furtherLanguages } from '../../../platform/site-content/further-language.ts'
import { translated } from './check-translations.ts'
import { WHOLE_FILE, type Found } from './problem.ts'

/** Content to check: the files, or the files with the published changes applied. */
export type GivenContent = {
  /** The value of a file under `content/`; undefined if it doesn't exist. */
  json(file: string): unknown
  /** The names in a folder under `content/`, without hidden ones. */
  names(folder: ContentFolder): readonly string[]
}

const contentFolders = [
  'facts',
  ...languages.map((language) => `messages/${language}` as const),
  'media/pdfs',
  'media/films',
  'media/people',
] as const
type ContentFolder = (typeof contentFolders)[number]

/** The list of all PDFs. */
export const documentsList = 'media/pdfs/documents.json'

/** Reads the files of a `content` folder, and returns the problems that keep any from being read. */
export function readGiven(folder: string): { given: GivenContent; found: Found[] } {
  const found: Found[] = []
  const values = new Map<string, unknown>()
  const folders = Object.fromEntries(
    contentFolders.map((name) => [name, filesIn(join(folder, name))]),
  ) as Record<ContentFolder, string[]>
  const isText = (name: string) => !name.startsWith('media/')
  const files = ['brand.json', 'colours.json', 'languages.json', documentsList].filter((file) =>
    existsSync(join(folder, file)),
  )
  for (const folderName of translated)
    // For emails, also checks the Chinese ones, because editors change them.
    for (const language of folderName === 'emails' ? languages : ['en', ...furtherLanguages]) {
      const file = `${folderName}/${language}.json`
      if (existsSync(join(folder, file))) files.push(file)
    }
  for (const name of contentFolders.filter(isText))
    files.push(...folders[name].filter((file) => file.endsWith('.json')).map((file) => `${name}/${file}`))
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    try {
      values.set(file, JSON.parse(text))
    } catch (error) {
      found.push({
        file,
        place: WHOLE_FILE,
        code: 'not_json',
        values: { detail: (error as Error).message },
      })
    }
    if (/^(messages|emails)\//.test(file)) found.push(...repeatedKeys(file, text))
  }
  return { given: { json: (file) => values.get(file), names: (name) => folders[name] }, found }
}

/** JSON.parse silently keeps the last of two equal keys. */
function repeatedKeys(file: string, text: string): Found[] {
  const keys: string[] = text.match(/^ {0,2}"[^"]+"(?=\s*:)/gm) ?? []
  const repeated = keys.filter((key, at) => keys.indexOf(key) < at)
  return repeated.map((key) => ({ file, place: JSON.parse(key) as string, code: 'twice' }))
}

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : []
