import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { DocumentEntry } from '#contract/console-content-files.ts'
import { isMailPiece } from '#contract/content-mails.ts'
import { completeLanguages, languages } from '#contract/languages.ts'
import type { Database } from '../../../db/database.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { isRecord } from '../../../is-record.ts'
import { StartRefused } from '../../../start-refused.ts'
import { documentsList, readGiven } from '../../rules/read-given.ts'
import { documentName, storeKeyOf } from '../content-file.queries.ts'
import { fileValueOf, kindOf, laidOver, listedDocuments, piecesOf } from '../piece.ts'
import { readPublished } from '../piece.queries.ts'
import { contentWith, currentLegal, documentsWith } from '../site-state.ts'
import { writeJson } from './write-json.ts'

type Needed = { db: Database; files: FileStore }

/**
 * Writes what was published back into the files of a folder `content`. What did not change is not touched, and nothing is
 * before all of it is there.
 */
export async function exportContent({ db, files: store }: Needed, folder: string): Promise<string[]> {
  const { given } = readGiven(folder)
  const published = await readPublished(db)
  const files = new Map<string, string | Buffer>()
  const put = (name: string, bytes: string | Buffer) => {
    const path = join(folder, name)
    if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(bytes))) files.set(name, bytes)
  }
  /** Formatted as it stands or, where there is no such file yet, as `like`. */
  const putJson = (name: string, value: unknown, like = name) => {
    if (isDeepStrictEqual(value, given.json(name))) return
    const model = [name, like].map((each) => join(folder, each)).find((path) => existsSync(path))
    put(name, writeJson(value, model === undefined ? '{}' : readFileSync(model, 'utf8')))
  }
  const putStored = async (name: string, stored: string) => {
    const bytes = await store.get(storeKeyOf(stored))
    if (!bytes) throw new StartRefused(`The file storage doesn’t contain ${stored}, which ${name} needs.`)
    put(name, bytes)
  }

  for (const piece of piecesOf(given)) {
    const value = laidOver(piece, fileValueOf(given, piece), published.overrides.get(piece))
    const kind = kindOf(piece)
    if (kind === 'messages' && !isMailPiece(piece))
      for (const language of languages) {
        const texts = (value as Record<string, object>)[language]!
        const name = piece.slice('messages/'.length)
        const file = `messages/${language}/${name}.json`
        // A language with gaps may have no such file.
        if (Object.keys(texts).length > 0 || given.json(file) !== undefined)
          putJson(file, texts, `messages/en/${name}.json`)
      }
    if (kind === 'facts') putJson(piece, value)
    if (kind === 'brand')
      putJson(piece, {
        ...(given.json(piece) as object),
        ...(value as object),
        legal: currentLegal(given, published.legal),
      })
    if (kind === 'facts')
      for (const photo of photosIn(value))
        if (published.pictures.includes(photo)) await putStored(`media/people/${photo}`, photo)
  }

  for (const language of completeLanguages) {
    const file = `emails/${language}.json`
    putJson(file, contentWith(given, published).json(file))
  }

  const documents = documentsWith(given, published)
  const before = new Map(listedDocuments(given).map((entry) => [entry.file, entry.sha256]))
  for (const { file, sha256 } of documents)
    if (before.get(file) !== sha256) await putStored(`media/pdfs/${file}`, documentName(sha256))
  if (!isDeepStrictEqual(documents, given.json(documentsList) ?? [])) put(documentsList, listOf(documents))
  const withdrawn = [...before.keys()].filter((name) => !documents.some(({ file }) => file === name))

  for (const [name, bytes] of files) write(join(folder, name), bytes)
  for (const file of withdrawn) rmSync(join(folder, 'media/pdfs', file), { force: true })
  return [...files.keys(), ...withdrawn.map((file) => `media/pdfs/${file}`)]
}

/** Whoever reads meanwhile finds the old file or the new one. */
function write(path: string, bytes: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.part`, bytes)
  renameSync(`${path}.part`, path)
}

/** As `make:documents` writes it. */
const listOf = (documents: readonly DocumentEntry[]): string => `${JSON.stringify(documents, null, 2)}\n`

/** The names of the pictures that these entries show. */
export function photosIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(photosIn)
  if (!isRecord(value)) return []
  const own = typeof value['photo'] === 'string' ? [value['photo']] : []
  return [...own, ...Object.values(value).flatMap(photosIn)]
}
