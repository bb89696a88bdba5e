import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { DAY } from '#contract/durations.ts'
import { changesBetween } from '#contract/settings.ts'
import { isRecord } from '../../is-record.ts'
import { transaction, type Database, type Tx } from '../../db/database.ts'
import { baseFiles } from './base-files.ts'
import { listDraftOf } from './draft.queries.ts'
import { withDraft } from './draft.ts'
import { endReleaseItself } from './end-release-itself.ts'
import { inKnownLanguages } from './in-known-languages.ts'
import { fileValueOf, flatten, kindOf, laidOver, overrideFor, piecesOf, type PieceValue } from './piece.ts'
import {
  deleteFileValuesBut,
  listFileHashes,
  listFileValues,
  listPieces,
  listTakenOver,
  lockContent,
  setBelow,
  setOverride,
  setPieceNumber,
  upsertFileValue,
  type PieceRow,
} from './piece.queries.ts'
import { findWaitingRelease } from './release.queries.ts'

/** How many places are named of a piece that a release changed. */
const outdatedMax = 100

/** How long what a release took over still lies over its files: the release before may still run somewhere, or come back. */
const takenOverLife = 7 * DAY

/**
 * Writes down what the files of this release say, at the start. Where they changed below what was published, the editors are
 * told; where below a draft, it is to be looked at again before it is published.
 */
export async function noteFiles(db: Database, files = baseFiles()): Promise<void> {
  const names = piecesOf(files)
  const values = new Map(names.map((piece) => [piece, fileValueOf(files, piece)]))
  const hashes = new Map([...values].map(([piece, value]) => [piece, hashOf(value)]))
  if (await isNoted(db, hashes)) return
  await transaction(db, async (db) => {
    await lockContent(db)
    const known = new Map((await listFileValues(db)).map((row) => [row.piece, row]))
    for (const row of await listPieces(db)) {
      const file = values.get(row.piece)
      const was = known.get(row.piece)?.value
      if (file === undefined || was === undefined || isDeepStrictEqual(was, file)) continue
      if (row.override !== null) await noteBelow(db, { ...row, was, file })
      await noteBelowDraft(db, { ...row, was, file })
    }
    for (const piece of names)
      if (known.get(piece)?.hash !== hashes.get(piece))
        await upsertFileValue(db, { piece, hash: hashes.get(piece)!, value: values.get(piece) })
    await deleteFileValuesBut(db, names)
  })
}

async function isNoted(db: Tx, hashes: ReadonlyMap<string, string>): Promise<boolean> {
  const known = new Map((await listFileHashes(db)).map(({ piece, hash }) => [piece, hash]))
  return known.size === hashes.size && [...hashes].every(([piece, hash]) => known.get(piece) === hash)
}

type Below = PieceRow & { was: PieceValue; file: PieceValue }

async function noteBelow(
  db: Tx,
  { piece, was, file, override, outdated, taken_over_at }: Below,
): Promise<void> {
  const rest = restOf(piece, file, override)
  const changed = rest === null ? [] : changedBelow(piece, was, file, rest)
  await setBelow(db, piece, {
    outdated: rest === null ? [] : [...new Set([...outdated, ...changed])].slice(0, outdatedMax),
    isTakenOver: !isDeepStrictEqual(rest, inKnownLanguages(override)),
    since: taken_over_at,
  })
}

/** What of it differs from these files. */
const restOf = (piece: string, file: PieceValue, override: unknown): unknown =>
  overrideFor(piece, file, laidOver(piece, file, inKnownLanguages(override)))

/**
 * A list is kept in a draft whole: published after the upgrade it would take back what the release brought, and nobody saw
 * that. Its number changes, and what waits with it ends.
 */
async function noteBelowDraft(db: Tx, { piece, was, file, override, n, release_id }: Below): Promise<void> {
  const draft = await listDraftOf(db, piece)
  const changes = (below: PieceValue) => {
    const published = laidOver(piece, below, inKnownLanguages(override))
    return changesBetween(flatten(published), flatten(withDraft(piece, published, draft)))
  }
  if (draft.length === 0 || isDeepStrictEqual(changes(was), changes(file))) return
  const waiting = release_id === null ? undefined : await findWaitingRelease(db, release_id)
  if (waiting) await endReleaseItself(db, waiting, 'release')
  await setPieceNumber(db, piece, n + 1)
}

/** Takes away what lies over the files and says the same, once no instance needs it any more. */
export async function settleTakenOver(db: Database, files = baseFiles()): Promise<void> {
  const names = piecesOf(files)
  const hashes = new Map(names.map((piece) => [piece, hashOf(fileValueOf(files, piece))]))
  await transaction(db, async (db) => {
    await lockContent(db)
    // An instance of another release knows other files than those that hold.
    if (!(await isNoted(db, hashes))) return
    for (const { piece, override } of await listTakenOver(db, takenOverLife))
      await setOverride(db, piece, restOf(piece, fileValueOf(files, piece), override))
  })
}

/** The places where the release says something else than before, and nobody sees it. */
function changedBelow(piece: string, was: PieceValue, file: PieceValue, override: unknown): string[] {
  const paths = changesBetween(flatten(was), flatten(file)).map(({ path }) => path)
  if (kindOf(piece) !== 'messages') return paths
  const covered = new Set(
    isRecord(override)
      ? Object.entries(override).flatMap(([language, texts]) =>
          Object.keys(isRecord(texts) ? texts : {}).map((key) => `${language}.${key}`),
        )
      : [],
  )
  return paths.filter((path) => covered.has(path))
}

const hashOf = (value: PieceValue): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
