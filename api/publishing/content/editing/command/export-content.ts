import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { DocumentEntry } from '#contract/publishing/console-content-files.ts'
import { isEmailItem } from '#contract/publishing/content-emails.ts'
import { completeLanguages, languages } from '#contract/platform/languages.ts'
import type { Database } from '../../../../platform/db/database.ts'
import type { FileStore } from '../../../../platform/files/file-store.ts'
import { isRecord } from '../../../../platform/is-record.ts'
import { StartRefused } from '../../../../platform/start-refused.ts'
import { documentsList, readGiven, type GivenContent } from '../../rules/read-given.ts'
import { documentName, storeKeyOf } from '../content-file.queries.ts'
import { changesAsWhole, itemsOf, kindOf, listedDocuments } from '../content-item.ts'
import { readPublished } from '../content-item.queries.ts'
import { contentWith, documentsWith, type Published } from '../site-state.ts'
import { writeJson } from './write-json.ts'

type Needed = { db: Database; files: FileStore }

/**
 * Writes published content back into the files of a `content` folder. Unchanged files are not touched, and
 * nothing is written before all of it is available.
 */
export async function exportContent({ db, files: store }: Needed, folder: string): Promise<string[]> {
  const { given } = readGiven(folder)
  const published = await readPublished(db)
  const files = new Map<string, string | Buffer>()
  const put = (name: string, bytes: string | Buffer) => {
    const path = join(folder, name)
    if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(bytes))) files.set(name, bytes)
  }
  for (const { name, value, like = name } of jsonFiles(given, published)) {
    if (isDeepStrictEqual(value, given.json(name))) continue
    const model = [name, like].map((each) => join(folder, each)).find((path) => existsSync(path))
    put(name, writeJson(value, model === undefined ? '{}' : readFileSync(model, 'utf8')))
  }
  const documents = documentsWith(given, published)
  for (const { name, stored } of storedFiles(given, published, documents)) {
    const bytes = await store.get(storeKeyOf(stored))
    if (!bytes) throw new StartRefused(`The file storage doesn’t contain ${stored}, which ${name} needs.`)
    put(name, bytes)
  }
  // Formatted as `make:documents` does.
  if (!isDeepStrictEqual(documents, given.json(documentsList) ?? []))
    put(documentsList, `${JSON.stringify(documents, null, 2)}\n`)
  const withdrawn = listedDocuments(given)
    .map(({ file }) => file)
    .filter((name) => !documents.some(({ file }) => file === name))
  for (const [name, bytes] of files) write(join(folder, name), bytes)
  for (const file of withdrawn) rmSync(join(folder, 'media/pdfs', file), { force: true })
  return [...files.keys(), ...withdrawn.map((file) => `media/pdfs/${file}`)]
}

/** A file with its new value. It is formatted like the existing file or, if there is none yet, like `like`. */
type JsonFile = { name: string; value: unknown; like?: string }

function jsonFiles(given: GivenContent, published: Published): JsonFile[] {
  const content = contentWith(given, published)
  const ofItems = itemsOf(given).flatMap((piece): JsonFile[] => {
    if (changesAsWhole(piece)) return [{ name: piece, value: content.json(piece) }]
    if (kindOf(piece) === 'document' || isEmailItem(piece)) return []
    const file = piece.slice('messages/'.length)
    const like = `messages/en/${file}.json`
    return (
      languages
        .map((language) => `messages/${language}/${file}.json`)
        .map((name) => ({ name, value: content.json(name), like }))
        // A language with gaps may have no such file.
        .filter(({ name, value }) => given.json(name) !== undefined || Object.keys(value ?? {}).length > 0)
    )
  })
  const emails = completeLanguages.map((language) => `emails/${language}.json`)
  return [...ofItems, ...emails.map((name) => ({ name, value: content.json(name) }))]
}

/** Uploaded pictures and PDFs: the path in the folder, and the name in the file storage. */
function storedFiles(
  given: GivenContent,
  published: Published,
  documents: readonly DocumentEntry[],
): { name: string; stored: string }[] {
  const content = contentWith(given, published)
  const photos = itemsOf(given)
    .filter((piece) => kindOf(piece) === 'facts')
    .flatMap((piece) => photosIn(content.json(piece)))
    .filter((photo) => published.pictures.includes(photo))
  const before = new Map(listedDocuments(given).map(({ file, sha256 }) => [file, sha256]))
  const changed = documents.filter(({ file, sha256 }) => before.get(file) !== sha256)
  return [
    ...photos.map((photo) => ({ name: `media/people/${photo}`, stored: photo })),
    ...changed.map(({ file, sha256 }) => ({ name: `media/pdfs/${file}`, stored: documentName(sha256) })),
  ]
}

/** Concurrent readers see either the old file or the new one. */
function write(path: string, bytes: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.part`, bytes)
  renameSync(`${path}.part`, path)
}

/** The names of the pictures that these entries show. */
export function photosIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(photosIn)
  if (!isRecord(value)) return []
  const own = typeof value['photo'] === 'string' ? [value['photo']] : []
  return [...own, ...Object.values(value).flatMap(photosIn)]
}
