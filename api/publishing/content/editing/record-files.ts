import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { DAY } from '#contract/platform/durations.ts'
import { changesBetween } from '#contract/people/settings.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { transaction, type Database, type Tx } from '../../../platform/db/database.ts'
import {
  baseFiles,
  fileValueOf,
  flatten,
  inKnownLanguages,
  itemsOf,
  type ItemValue,
  kindOf,
  laidOver,
  overrideFor,
} from './content-item.ts'
import { listDraftOf } from './draft.queries.ts'
import { withDraft } from './draft.ts'
import { endReleaseItself } from './releases.ts'
import {
  deleteFileValuesBut,
  listFileHashes,
  listFileValues,
  listItems,
  listTakenOver,
  lockContent,
  setFileChanges,
  setOverride,
  setItemNumber,
  upsertFileValue,
  type ItemRow,
} from './content-item.queries.ts'
import { findWaitingRelease } from './release.queries.ts'

/** The maximum number of listed places of a piece that a release changed. */
const outdatedMax = 100

/**
 * How long overrides that equal a new release's files are kept, because the previous release may still run or
 * come back. In milliseconds.
 */
const takenOverLife = 7 * DAY

/**
 * Records the files of this release at startup. If they changed below published content, editors are notified;
 * below a draft, it must be reviewed again before publishing.
 */
export async function recordFiles(db: Database, files = baseFiles()): Promise<void> {
  const names = itemsOf(files)
  const values = new Map(names.map((piece) => [piece, fileValueOf(files, piece)]))
  const hashes = new Map([...values].map(([piece, value]) => [piece, hashOf(value)]))
  if (await isNoted(db, hashes)) return
  await transaction(db, async (db) => {
    await lockContent(db)
    const known = new Map((await listFileValues(db)).map((row) => [row.piece, row]))
    for (const row of await listItems(db)) {
      const file = values.get(row.piece)
      const was = known.get(row.piece)?.value
      if (file === undefined || was === undefined || isDeepStrictEqual(was, file)) continue
      if (row.override !== null) await recordBelow(db, { ...row, was, file })
      await recordBelowDraft(db, { ...row, was, file })
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

type Below = ItemRow & { was: ItemValue; file: ItemValue }

async function recordBelow(
  db: Tx,
  { piece, was, file, override, outdated, taken_over_at }: Below,
): Promise<void> {
  const rest = restOf(piece, file, override)
  const changed = rest === null ? [] : changedBelow(piece, was, file, rest)
  await setFileChanges(db, piece, {
    outdated: rest === null ? [] : [...new Set([...outdated, ...changed])].slice(0, outdatedMax),
    isTakenOver: !isDeepStrictEqual(rest, inKnownLanguages(override)),
    since: taken_over_at,
  })
}

/** Returns the part of the override that differs from these files. */
const restOf = (piece: string, file: ItemValue, override: unknown): unknown =>
  overrideFor(piece, file, laidOver(piece, file, inKnownLanguages(override)))

/**
 * A draft contains the whole list: published after the upgrade it would revert the release's changes unnoticed.
 * So its version changes, and pending releases with it end.
 */
async function recordBelowDraft(db: Tx, { piece, was, file, override, n, release_id }: Below): Promise<void> {
  const draft = await listDraftOf(db, piece)
  const changes = (below: ItemValue) => {
    const published = laidOver(piece, below, inKnownLanguages(override))
    return changesBetween(flatten(published), flatten(withDraft(piece, published, draft)))
  }
  if (draft.length === 0 || isDeepStrictEqual(changes(was), changes(file))) return
  const waiting = release_id === null ? undefined : await findWaitingRelease(db, release_id)
  if (waiting) await endReleaseItself(db, waiting, 'release')
  await setItemNumber(db, piece, n + 1)
}

/** Removes overrides that equal the files, once no instance needs them. */
export async function settleTakenOver(db: Database, files = baseFiles()): Promise<void> {
  const names = itemsOf(files)
  const hashes = new Map(names.map((piece) => [piece, hashOf(fileValueOf(files, piece))]))
  await transaction(db, async (db) => {
    await lockContent(db)
    // An instance of another release has different files.
    if (!(await isNoted(db, hashes))) return
    for (const { piece, override } of await listTakenOver(db, takenOverLife))
      await setOverride(db, piece, restOf(piece, fileValueOf(files, piece), override))
  })
}

/** Places that the release changed below an override. */
function changedBelow(piece: string, was: ItemValue, file: ItemValue, override: unknown): string[] {
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

const hashOf = (value: ItemValue): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
