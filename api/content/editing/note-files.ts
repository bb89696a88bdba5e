import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { changesBetween } from '#contract/settings.ts'
import { isRecord } from '../../is-record.ts'
import { transaction, type Database } from '../../db/database.ts'
import { baseFiles } from './base-files.ts'
import { fileValueOf, flatten, kindOf, laidOver, overrideFor, piecesOf, type PieceValue } from './piece.ts'
import {
  deleteFileValuesBut,
  listFileHashes,
  listFileValues,
  listPieces,
  lockContent,
  setOverride,
  upsertFileValue,
} from './piece.queries.ts'

/** How many places are named of a piece that a release changed. */
const outdatedMax = 100

/**
 * Writes down what the files of this release say, at the start. Where they say by now what was published over them, nothing
 * lies over them any more; where they changed below it, the editors are told.
 */
export async function noteFiles(db: Database, files = baseFiles()): Promise<void> {
  const names = piecesOf(files)
  const values = new Map(names.map((piece) => [piece, fileValueOf(files, piece)]))
  const hashes = new Map([...values].map(([piece, value]) => [piece, hashOf(value)]))
  const known = new Map((await listFileHashes(db)).map(({ piece, hash }) => [piece, hash]))
  const isSame = known.size === hashes.size && names.every((piece) => known.get(piece) === hashes.get(piece))
  if (isSame) return
  await transaction(db, async (db) => {
    await lockContent(db)
    const before = new Map((await listFileValues(db)).map(({ piece, value }) => [piece, value]))
    for (const row of await listPieces(db)) {
      const file = values.get(row.piece)
      if (row.override === null || file === undefined) continue
      const was = before.get(row.piece) ?? file
      if (isDeepStrictEqual(was, file)) continue
      const override = overrideFor(row.piece, file, laidOver(row.piece, file, row.override))
      const changed = override === null ? [] : changedBelow(row.piece, was, file, override)
      const outdated = [...new Set([...row.outdated, ...changed])].slice(0, outdatedMax)
      await setOverride(db, row.piece, { override, outdated: override === null ? [] : outdated })
    }
    for (const piece of names)
      if (known.get(piece) !== hashes.get(piece))
        await upsertFileValue(db, { piece, hash: hashes.get(piece)!, value: values.get(piece) })
    await deleteFileValuesBut(db, names)
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
