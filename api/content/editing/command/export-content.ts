import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
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

/** Writes what was published back into the files of a folder `content`. What did not change is not touched. */
export async function exportContent({ db, files }: Needed, folder: string): Promise<string[]> {
  const { given } = readGiven(folder)
  const published = await readPublished(db)
  const written: string[] = []
  const put = (name: string, bytes: string | Buffer) => {
    const path = join(folder, name)
    if (existsSync(path) && readFileSync(path).equals(Buffer.from(bytes))) return
    mkdirSync(dirname(path), { recursive: true })
    // Whoever reads meanwhile finds the old file or the new one.
    writeFileSync(`${path}.part`, bytes)
    renameSync(`${path}.part`, path)
    written.push(name)
  }
  const putJson = (name: string, value: unknown) => {
    if (!isDeepStrictEqual(value, given.json(name)))
      put(name, writeJson(value, readFileSync(join(folder, name), 'utf8')))
  }
  const putStored = async (name: string, stored: string) => {
    const bytes = await files.get(storeKeyOf(stored))
    if (!bytes) throw new StartRefused(`The file store lacks ${stored}, which ${name} needs.`)
    put(name, bytes)
  }

  for (const piece of piecesOf(given)) {
    const value = laidOver(piece, fileValueOf(given, piece), published.overrides.get(piece))
    const kind = kindOf(piece)
    if (kind === 'messages' && !isMailPiece(piece))
      for (const language of languages) {
        const texts = (value as Record<string, object>)[language]!
        // A language with gaps may have no such file.
        if (Object.keys(texts).length > 0)
          putJson(`messages/${language}/${piece.slice('messages/'.length)}.json`, texts)
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
  if (!isDeepStrictEqual(documents, given.json(documentsList))) put(documentsList, listOf(documents))
  return written
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
