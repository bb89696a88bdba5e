import { existsSync, readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { languages, type Language } from '#contract/platform/languages.ts'
import { contentFolder } from './content-folder.ts'

export type Words = Readonly<Record<string, string>>

/** The contents of the folder `content` as read. A check before the build enforces its rules. */
export type ContentFiles = {
  /** By language, then by file name without its extension. */
  words: ReadonlyMap<Language, ReadonlyMap<string, Words>>
  /** By path, for example `facts/roadmap.json`. */
  facts: ReadonlyMap<string, unknown>
  brand: Readonly<Record<string, unknown>>
  documents: unknown
  /** Names of the files of films, including captions. */
  films: readonly string[]
}

export function readContentFiles(folder: string = contentFolder): ContentFiles {
  const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
  const films = join(folder, 'media/films')
  const wordsIn = (language: Language) =>
    namesIn(join(folder, 'messages', language)).map(
      (name) => [name.replace(/\.json$/, ''), read('messages', language, name) as Words] as const,
    )
  return {
    words: new Map(languages.map((language) => [language, new Map(wordsIn(language))])),
    facts: new Map(
      namesIn(join(folder, 'facts')).map((name) => [`facts/${name}`, read('facts', name)] as const),
    ),
    brand: read('brand.json') as Record<string, unknown>,
    documents: read('media', 'pdfs', 'documents.json'),
    films: existsSync(films) ? readdirSync(films) : [],
  }
}

/** An additional language may have no texts yet. */
const namesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []

/**
 * Calls `reread` when a file was saved, in development. Incompletely written files are skipped until they are complete.
 */
export function watchContent(reread: () => void, log: Pick<FastifyBaseLogger, 'warn'>): () => void {
  let soon: NodeJS.Timeout | undefined
  const watcher = watch(contentFolder, { recursive: true }, (_, file) => {
    if (!file?.endsWith('.json')) return
    clearTimeout(soon)
    soon = setTimeout(() => {
      try {
        reread()
      } catch (error) {
        log.warn({ error }, 'a content file could not be read')
      }
    }, 50)
  })
  return () => {
    clearTimeout(soon)
    watcher.close()
  }
}
