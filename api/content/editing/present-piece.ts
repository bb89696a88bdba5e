import { sensitiveKinds, type ContentPiece, type ContentPieceWhole } from '#contract/console-content.ts'
import { changesBetween } from '#contract/settings.ts'
import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import { readContentPolicy } from '../../four-eyes/read-policy.ts'
import type { ApproverRule } from '../../members/approver.queries.ts'
import { Refused } from '../../refused.ts'
import type { Found } from '../rules/problem.ts'
import { sayProblem } from '../rules/say-problem.ts'
import { baseFiles } from './base-files.ts'
import { listDraftOf, listDrafts, type DraftRow } from './draft.queries.ts'
import { withDraft } from './draft.ts'
import { officialChanges } from './official-parts.ts'
import { fileValueOf, flatten, kindOf, pieceOfFile, piecesOf, type PieceValue } from './piece.ts'
import { findPiece, listPieces, readPublished, type PieceRow } from './piece.queries.ts'
import { sensitiveIn } from './sensitive.ts'
import { checkState, currentLegal, publishedValue, withValues, type Published } from './site-state.ts'

/** What a text in another language lacks. */
const missingCodes: readonly Found['code'][] = ['missing', 'empty', 'not_chinese', 'not_english']

export const whoOf = (id: string | null, name: string | null) =>
  id === null ? null : { id, name: name ?? '' }

/** The pieces that there are: those of the files, and documents that were added here. */
const namesWith = (rows: readonly PieceRow[]): string[] => [
  ...new Set([
    ...piecesOf(baseFiles()),
    ...rows.map(({ piece }) => piece).filter((piece) => kindOf(piece) === 'document'),
  ]),
]

export async function readPieces(db: Tx): Promise<ContentPiece[]> {
  const files = baseFiles()
  const [rows, drafts, published] = [await listPieces(db), await listDrafts(db), await readPublished(db)]
  const draftOf = (piece: string) => drafts.filter((each) => each.piece === piece)
  const values = new Map(
    rows
      .map(({ piece }) => [piece, draftOf(piece)] as const)
      .filter(([, draft]) => draft.length > 0)
      .map(([piece, draft]) => [piece, withDraft(piece, publishedValue(files, published, piece), draft)]),
  )
  const found = checkState(files, withValues(files, published, values))
  return namesWith(rows).map((piece) => {
    const row = rows.find((each) => each.piece === piece)
    const own = found.filter(({ file, place }) => pieceOfFile(file, place) === piece)
    return summaryOf(piece, row, draftOf(piece), own)
  })
}

function summaryOf(
  piece: string,
  row: PieceRow | undefined,
  draft: readonly DraftRow[],
  found: readonly Found[],
): ContentPiece {
  const latest = draft.toSorted((a, b) => b.saved_at.getTime() - a.saved_at.getTime())[0]
  const waits = row?.release_state === 'proposed' || row?.release_state === 'scheduled'
  return {
    piece,
    kind: kindOf(piece),
    version: row?.n ?? 0,
    isPublished: row !== undefined && row.override !== null,
    hasDraft: draft.length > 0,
    changedAt: (latest?.saved_at ?? row?.published_at)?.toISOString() ?? null,
    changedBy: latest
      ? whoOf(latest.saved_by, latest.saver_name)
      : whoOf(row?.published_by ?? null, row?.publisher_name ?? null),
    waiting:
      waits && row.release_id !== null
        ? {
            id: row.release_id,
            state: row.release_state as 'proposed' | 'scheduled',
            publishAt: row.publish_at?.toISOString() ?? null,
          }
        : null,
    missing: found.filter(({ code }) => missingCodes.includes(code)).length,
    problems: found.length,
    outdated: row?.outdated ?? [],
    isLeftOut: row?.is_left_out ?? false,
  }
}

/** Refuses a piece that is not there. A document is there once it has a row. */
export function requirePiece(piece: string, row: unknown): void {
  if (!piecesOf(baseFiles()).includes(piece) && !(kindOf(piece) === 'document' && row))
    throw new Refused('not_found')
}

/** What is wrong with these values: in their own files, and elsewhere what was not wrong before. */
export function problemsOf(published: Published, values: ReadonlyMap<string, PieceValue>): Found[] {
  const files = baseFiles()
  const keyOf = ({ file, place, code }: Found) => `${file} ${place} ${code}`
  const before = new Set(checkState(files, published).map(keyOf))
  return checkState(files, withValues(files, published, values)).filter(
    (each) => values.has(pieceOfFile(each.file, each.place)) || !before.has(keyOf(each)),
  )
}

export async function readPiece(
  db: Tx,
  config: Pick<Config, 'contentTwoPersons'> & ApproverRule,
  piece: string,
): Promise<ContentPieceWhole> {
  const row = await findPiece(db, piece)
  requirePiece(piece, row)
  const files = baseFiles()
  const [draft, state] = [await listDraftOf(db, piece), await readPublished(db)]
  const published = publishedValue(files, state, piece)
  const value = withDraft(piece, published, draft)
  const found = problemsOf(state, new Map([[piece, value]]))
  const changes = changesBetween(flatten(published), flatten(value))
  const { contentTwoPersons } = await readContentPolicy(db, config)
  return {
    ...summaryOf(piece, row, draft, found),
    file: fileValueOf(files, piece),
    published,
    value,
    draft: draft.map(({ place, value, n, saved_by, saver_name, saved_at }) => ({
      place,
      value,
      version: n,
      by: whoOf(saved_by, saver_name),
      at: saved_at.toISOString(),
    })),
    found: found.map(sayProblem),
    sensitive: sensitiveIn(piece, changes),
    changesOfficial: officialChanges([{ piece, changes }]).length > 0,
    twoPersons: sensitiveKinds.filter((kind) => contentTwoPersons.has(kind)),
    legal:
      piece === 'messages/legal' ? currentLegal(files, row?.is_left_out ? new Map() : state.legal) : null,
    changes,
  }
}
