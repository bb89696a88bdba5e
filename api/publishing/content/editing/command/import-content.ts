import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { commandLine } from '#api/platform/command-line.ts'
import type { DocumentEntry } from '#contract/publishing/console-content-files.ts'
import { legalDocuments, type LegalDocument } from '#contract/people/consents.ts'
import { changesBetween } from '#contract/people/settings.ts'
import { announceChange } from '../../../../platform/db/changes.ts'
import { transaction, type Database, type Tx } from '../../../../platform/db/database.ts'
import type { FileStore } from '../../../../platform/files/file-store.ts'
import { notifyAboutOfficial } from '../../../../people/settings/notify-about-official.ts'
import type { Services } from '../../../../platform/services.ts'
import { isRecord } from '../../../../platform/is-record.ts'
import { StartRefused } from '../../../../platform/start-refused.ts'
import { checkContent } from '../../rules/check-content.ts'
import { documentsList, type GivenContent, readGiven } from '../../rules/read-given.ts'
import { laterVersion } from '../../rules/legal-version.ts'
import { problemMessage } from '../../rules/say-problem.ts'
import { announceFile, documentName, storeKeyOf, type FileKind } from '../content-file.queries.ts'
import { describeOfficialChanges, officialChanges } from '../official-changes.ts'
import { endReleaseItself } from '../releases.ts'
import { publishItem } from '../publish-items.ts'
import {
  baseFiles,
  fileValueOf,
  flatten,
  inEachLanguage,
  itemsOf,
  kindOf,
  laidOver,
  overrideFor,
  type ItemValue,
  type Parts,
} from '../content-item.ts'
import {
  insertLegalVersion,
  listFileValues,
  lockContent,
  lockItem,
  readPublished,
} from '../content-item.queries.ts'
import { readPdf } from '../../../../platform/pdf/read-pdf.ts'
import { findWaitingRelease } from '../release.queries.ts'
import { currentLegal, type Published } from '../site-state.ts'
import { photosIn } from './export-content.ts'

type Needed = { db: Database; files: FileStore } & Pick<Services, 'keys' | 'config'>
type Legal = Record<LegalDocument, string>
type Change = { piece: string; from: ItemValue; to: ItemValue; override: unknown }

/**
 * Publishes the differences between the files of a `content` folder and the published content. Returns the
 * pieces.
 */
export async function importContent({ db, files, keys, config }: Needed, folder: string): Promise<string[]> {
  const { given, found } = readGiven(folder)
  const problems = [...found, ...checkContent(given, baseFiles())].map(problemMessage)
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
    const legal = legalOf(given, published)
    for (const change of changes) {
      await storeFiles({ db, files }, folder, change.to)
      await publishChange(db, change, legal)
    }
    const official = officialChanges(
      changes.map(({ piece, from, to }) => ({ piece, changes: differing(from, to) })),
    )
    // Running commands on the server needs none of our rights, but everyone who watches the list is notified.
    if (official.length > 0)
      await notifyAboutOfficial(
        db,
        { keys, config },
        { command: commandLine('content:import') },
        describeOfficialChanges(official),
      )
    const hasNewLegal = await insertLegalVersions(db, given, published)
    if (changes.length > 0 || hasNewLegal) await announceChange(db, 'content')
    return changes.map(({ piece }) => piece)
  })
}

/** Compared with the running release, whose files may differ from those of this folder. */
async function findChanges(db: Tx, given: GivenContent, published: Published): Promise<Change[]> {
  const running = new Map((await listFileValues(db)).map(({ piece, value }) => [piece, value as ItemValue]))
  // A document missing in this folder is withdrawn.
  const listsDocuments = given.json(documentsList) !== undefined
  const documents = [...running.keys(), ...published.overrides.keys()].filter(
    (piece) => listsDocuments && kindOf(piece) === 'document',
  )
  return [...new Set([...itemsOf(given), ...documents])].flatMap((piece) => {
    const base = running.get(piece) ?? fileValueOf(baseFiles(), piece)
    if (!base || (kindOf(piece) === 'messages' && !(base as { en?: object }).en)) return []
    const from = laidOver(piece, base, published.overrides.get(piece))
    const to = knownOf(piece, base, fileValueOf(given, piece))
    return isDeepStrictEqual(from, to) ? [] : [{ piece, from, to, override: overrideFor(piece, base, to) }]
  })
}

/** Texts that the running release does not know come with the release that does. */
function knownOf(piece: string, base: ItemValue, value: ItemValue): ItemValue {
  if (kindOf(piece) !== 'messages') return value
  return inEachLanguage((language) => {
    const known = (base as Parts)[language] ?? {}
    const said = (value as Parts)[language] ?? {}
    const texts = Object.keys((base as { en: object }).en).map(
      (key) => [key, said[key] ?? known[key]] as const,
    )
    // A language may have gaps.
    return Object.fromEntries(texts.filter(([, text]) => text !== undefined))
  })
}

/** Stores the referenced files, because other instances do not have this folder. */
async function storeFiles({ db, files }: { db: Tx; files: FileStore }, folder: string, value: ItemValue) {
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

/** Checked like an upload by an editor. */
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

/** Publishes a change. A pending release with the item ends, because its base changes. */
async function publishChange(
  db: Tx,
  { piece, from, to, override }: Change,
  legal: Record<'before' | 'after', Legal>,
): Promise<void> {
  const { n, release_id } = await lockItem(db, piece)
  const waiting = release_id === null ? undefined : await findWaitingRelease(db, release_id)
  if (waiting) await endReleaseItself(db, waiting, 'command')
  await publishItem(db, {
    piece,
    n,
    before: from,
    value: to,
    override,
    changes: differing(from, to),
    by: null,
    confirmedBy: null,
    origin: 'command',
    restoredId: null,
    newVersions: [],
    legal: piece === 'messages/legal' ? legal : null,
  })
}

const differing = (from: ItemValue, to: ItemValue) => changesBetween(flatten(from), flatten(to))

const saidLegal = (given: GivenContent): Legal => (given.json('brand.json') as { legal: Legal }).legal

/** The versions of the legal texts, before and after the import. */
function legalOf(given: GivenContent, published: Published): Record<'before' | 'after', Legal> {
  const said = saidLegal(given)
  const before = currentLegal(baseFiles(), published.legal)
  const after = legalDocuments.map((each) => [each, laterVersion(said[each], before[each])])
  return { before, after: Object.fromEntries(after) as Legal }
}

/** Asks members to accept legal texts of which the files have a later version. Returns whether there is one. */
async function insertLegalVersions(db: Tx, given: GivenContent, published: Published): Promise<boolean> {
  const said = saidLegal(given)
  const later = legalDocuments.filter((document) => {
    const known = published.legal.get(document)
    // The running release may have it already; recording it again changes nothing.
    return known === undefined || laterVersion(said[document], known) !== known
  })
  for (const document of later) await insertLegalVersion(db, { document, version: said[document], by: null })
  return later.length > 0
}
