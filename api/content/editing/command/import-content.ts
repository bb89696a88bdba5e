import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { DocumentEntry } from '#contract/console-content-files.ts'
import { legalDocuments, type LegalDocument } from '#contract/consents.ts'
import { languages } from '#contract/languages.ts'
import { changesBetween } from '#contract/settings.ts'
import { recordAudit } from '../../../audit/audit.queries.ts'
import { announceChange } from '../../../db/changes.ts'
import { transaction, type Database, type Tx } from '../../../db/database.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { tellOfOfficial } from '../../../official/tell-of-official.ts'
import type { Services } from '../../../services.ts'
import { isRecord } from '../../../is-record.ts'
import { StartRefused } from '../../../start-refused.ts'
import { checkContent } from '../../rules/check-content.ts'
import type { GivenContent } from '../../rules/given-content.ts'
import { laterVersion } from '../../rules/legal-version.ts'
import { documentsList, readGiven } from '../../rules/read-given.ts'
import { sayProblem } from '../../rules/say-problem.ts'
import { baseFiles } from '../base-files.ts'
import { announceFile, documentName, storeKeyOf, type FileKind } from '../content-file.queries.ts'
import { describeOfficialChanges, officialChanges } from '../official-parts.ts'
import { endReleaseItself } from '../end-release-itself.ts'
import { deleteOldVersions, hasVersions, insertContentVersion } from '../content-version.queries.ts'
import { fileValueOf, flatten, kindOf, laidOver, overrideFor, piecesOf, type PieceValue } from '../piece.ts'
import {
  insertLegalVersion,
  listFileValues,
  lockContent,
  lockPiece,
  readPublished,
  setPublished,
} from '../piece.queries.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { findWaitingRelease } from '../release.queries.ts'
import { currentLegal, type Published } from '../site-state.ts'
import { photosIn } from './export-content.ts'

type Needed = { db: Database; files: FileStore } & Pick<Services, 'keys' | 'config'>
type Legal = Record<LegalDocument, string>
type Change = { piece: string; from: PieceValue; to: PieceValue; override: unknown }

/** Publishes what the files of a folder `content` say otherwise than what is published. Returns the pieces. */
export async function importContent({ db, files, keys, config }: Needed, folder: string): Promise<string[]> {
  const { given, found } = readGiven(folder)
  const problems = [...found, ...checkContent(given, baseFiles())].map(sayProblem)
  if (problems.length > 0)
    throw new StartRefused(
      ['Nothing was imported: the content has errors.']
        .concat(problems.map(({ file, place, words }) => `content/${file}: ${place}: ${words.en}`))
        .join('\n'),
    )
  return transaction(db, async (db) => {
    await lockContent(db)
    const published = await readPublished(db)
    const changes = await findChanges(db, given, published)
    for (const change of changes) {
      await storeFiles({ db, files }, folder, change.to)
      await take(db, change, change.piece === 'messages/legal' ? legalOf(given, published) : null)
    }
    const official = officialChanges(
      changes.map(({ piece, from, to }) => ({ piece, changes: differing(from, to) })),
    )
    // Whoever runs commands on the server needs no right of ours, and everybody who watches the list is told all the same.
    if (official.length > 0)
      await tellOfOfficial(
        db,
        { keys, config },
        { command: 'npm run content:import' },
        describeOfficialChanges(official),
      )
    const hasNewLegal = await takeLegal(db, given, published)
    if (changes.length > 0 || hasNewLegal) await announceChange(db, 'content')
    return changes.map(({ piece }) => piece)
  })
}

/** Compared with what the running release says: its files may be others than those of this folder. */
async function findChanges(db: Tx, given: GivenContent, published: Published): Promise<Change[]> {
  const running = new Map((await listFileValues(db)).map(({ piece, value }) => [piece, value as PieceValue]))
  // A document that this folder lacks is taken back.
  const listsDocuments = given.json(documentsList) !== undefined
  const documents = [...running.keys(), ...published.overrides.keys()].filter(
    (piece) => listsDocuments && kindOf(piece) === 'document',
  )
  return [...new Set([...piecesOf(given), ...documents])].flatMap((piece) => {
    const base = running.get(piece) ?? fileValueOf(baseFiles(), piece)
    if (!base || (kindOf(piece) === 'messages' && !(base as { en?: object }).en)) return []
    const from = laidOver(piece, base, published.overrides.get(piece))
    const to = knownOf(piece, base, fileValueOf(given, piece))
    return isDeepStrictEqual(from, to) ? [] : [{ piece, from, to, override: overrideFor(piece, base, to) }]
  })
}

/** Texts that the running release does not know come with the release that does. */
function knownOf(piece: string, base: PieceValue, value: PieceValue): PieceValue {
  if (kindOf(piece) !== 'messages') return value
  return Object.fromEntries(
    languages.map((language) => {
      const known = (base as Record<string, Record<string, string>>)[language] ?? {}
      const said = (value as Record<string, Record<string, string>>)[language] ?? {}
      const texts = Object.keys((base as { en: object }).en).map(
        (key) => [key, said[key] ?? known[key]] as const,
      )
      // A language may have gaps.
      return [language, Object.fromEntries(texts.filter(([, text]) => text !== undefined))]
    }),
  )
}

/** What the values name, into the store: other instances do not have this folder. */
async function storeFiles({ db, files }: { db: Tx; files: FileStore }, folder: string, value: PieceValue) {
  const put = async (kind: FileKind, path: string, name: string, sha256?: string) => {
    if (!existsSync(join(folder, path))) return
    const bytes = readFileSync(join(folder, path))
    if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw new StartRefused(`content/${path} doesn’t match its entry in documents.json.`)
    if (kind === 'document') requireSafePdf(path, bytes)
    await announceFile(db, { name, kind, bytes: bytes.length })
    await files.put(storeKeyOf(name), bytes)
  }
  for (const photo of photosIn(value)) await put('picture', `media/people/${photo}`, photo)
  for (const entry of isRecord(value) ? Object.values(value) : [])
    if (isRecord(entry) && typeof entry['sha256'] === 'string') {
      const { file, sha256 } = entry as unknown as DocumentEntry
      await put('document', `media/pdfs/${file}`, documentName(sha256), sha256)
    }
}

/** Looked at as one that an editor uploads. */
function requireSafePdf(path: string, bytes: Buffer): void {
  const { kind } = readPdf(bytes)
  if (kind === 'fine') return
  const why = {
    document: 'can’t be read as a PDF without a password',
    document_pages: 'has no readable pages',
    document_active: 'contains scripts, forms, or attachments',
  }[kind]
  throw new StartRefused(`Nothing was imported: content/${path} ${why}.`)
}

async function take(
  db: Tx,
  { piece, from, to, override }: Change,
  legal: Record<'before' | 'after', Legal> | null,
): Promise<void> {
  const row = await lockPiece(db, piece)
  const waiting = row.release_id === null ? undefined : await findWaitingRelease(db, row.release_id)
  if (waiting) await endReleaseItself(db, waiting, 'command')
  if (!(await hasVersions(db, piece)))
    await insertContentVersion(db, {
      piece,
      n: row.n,
      value: from,
      changes: [],
      by: null,
      origin: 'file',
      legal: legal && legal.before,
    })
  const changes = differing(from, to)
  const n = row.n + 1
  await insertContentVersion(db, {
    piece,
    n,
    value: to,
    changes,
    by: null,
    origin: 'command',
    legal: legal && legal.after,
  })
  await deleteOldVersions(db, piece)
  await setPublished(db, piece, { n, override, by: null })
  await recordAudit(db, {
    actorId: null,
    action: 'content-imported',
    subjectKind: 'content',
    subjectId: piece,
    detail: { places: changes.slice(0, 20).map(({ path }) => path) },
  })
}

const differing = (from: PieceValue, to: PieceValue) => changesBetween(flatten(from), flatten(to))

/** The versions of the legal texts, before the import and by it. */
function legalOf(given: GivenContent, published: Published): Record<'before' | 'after', Legal> {
  const said = (given.json('brand.json') as { legal: Legal }).legal
  const before = currentLegal(baseFiles(), published.legal)
  const after = Object.fromEntries(
    legalDocuments.map((each) => [each, laterVersion(said[each], before[each])]),
  ) as Legal
  return { before, after }
}

/** A later version of a legal text in the files asks members again, as everywhere. */
async function takeLegal(db: Tx, given: GivenContent, published: Published): Promise<boolean> {
  const said = (given.json('brand.json') as { legal: Record<LegalDocument, string> }).legal
  let isNew = false
  for (const document of legalDocuments) {
    const known = published.legal.get(document)
    // Whether the running release says it already is not known here: saying it twice changes nothing.
    if (known === undefined || (said[document] !== known && laterVersion(said[document], known) !== known)) {
      await insertLegalVersion(db, { document, version: said[document], by: null })
      isNew = true
    }
  }
  return isNew
}
