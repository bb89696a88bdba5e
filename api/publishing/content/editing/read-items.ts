import {
  sensitiveKinds,
  type ContentItem,
  type ContentItemDetail,
} from '#contract/publishing/console-content.ts'
import { changesBetween } from '#contract/people/settings.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { readContentPolicy } from '../../../people/four-eyes/read-policy.ts'
import type { ApproverRule } from '../../../people/members/approver.queries.ts'
import { Refused } from '../../../platform/refused.ts'
import { presentWho } from '../../../people/settings/present-version.ts'
import type { Found } from '../rules/problem.ts'
import { problemMessage } from '../rules/say-problem.ts'
import {
  baseFiles,
  fileValueOf,
  flatten,
  itemOfFile,
  itemsOf,
  type ItemValue,
  kindOf,
} from './content-item.ts'
import { listDraftOf, listDrafts, type DraftRow } from './draft.queries.ts'
import { withDraft } from './draft.ts'
import { officialChanges } from './official-changes.ts'
import { findItem, listItems, readPublished, type ItemRow } from './content-item.queries.ts'
import { sensitiveIn } from './sensitive.ts'
import { checkState, currentLegal, publishedValue, withValues, type Published } from './site-state.ts'

/** Problems that count as a missing translation. */
const missingCodes: readonly Found['code'][] = ['missing', 'empty', 'not_chinese', 'not_english']

/** Names of all items: those of the files, and documents that were added in the console. */
const namesWith = (rows: readonly ItemRow[]): string[] => [
  ...new Set([
    ...itemsOf(baseFiles()),
    ...rows.map(({ piece }) => piece).filter((piece) => kindOf(piece) === 'document'),
  ]),
]

export async function readItems(db: Tx): Promise<ContentItem[]> {
  const files = baseFiles()
  const [rows, drafts, published] = [await listItems(db), await listDrafts(db), await readPublished(db)]
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
    const own = found.filter(({ file, place }) => itemOfFile(file, place) === piece)
    return summaryOf(piece, row, draftOf(piece), own)
  })
}

function summaryOf(
  piece: string,
  row: ItemRow | undefined,
  draft: readonly DraftRow[],
  found: readonly Found[],
): ContentItem {
  return {
    piece,
    kind: kindOf(piece),
    version: row?.n ?? 0,
    isPublished: row !== undefined && row.override !== null,
    hasDraft: draft.length > 0,
    ...lastChangeOf(row, draft),
    waiting: row ? pendingReleaseOf(row) : null,
    missing: found.filter(({ code }) => missingCodes.includes(code)).length,
    problems: found.length,
    outdated: row?.outdated ?? [],
    isLeftOut: row?.is_left_out ?? false,
  }
}

function lastChangeOf(
  row: ItemRow | undefined,
  draft: readonly DraftRow[],
): Pick<ContentItem, 'changedAt' | 'changedBy'> {
  const saved = draft.toSorted((a, b) => b.saved_at.getTime() - a.saved_at.getTime())[0]
  if (saved)
    return {
      changedAt: saved.saved_at.toISOString(),
      changedBy: presentWho(saved.saved_by, saved.saver_name),
    }
  if (!row) return { changedAt: null, changedBy: null }
  const { published_at, published_by, publisher_name } = row
  return {
    changedAt: published_at?.toISOString() ?? null,
    changedBy: presentWho(published_by, publisher_name),
  }
}

function pendingReleaseOf({ release_id, release_state, publish_at }: ItemRow): ContentItem['waiting'] {
  if (release_id === null || release_state === null) return null
  const state = release_state as 'proposed' | 'scheduled'
  return { id: release_id, state, publishAt: publish_at?.toISOString() ?? null }
}

/** Rejects unknown items. A document exists once it has a row. */
export function requireItem(piece: string, row: unknown): void {
  if (!itemsOf(baseFiles()).includes(piece) && !(kindOf(piece) === 'document' && row))
    throw new Refused('not_found')
}

/** Problems of these values: all in their own files, and new ones elsewhere. */
export function problemsOf(published: Published, values: ReadonlyMap<string, ItemValue>): Found[] {
  const files = baseFiles()
  const keyOf = ({ file, place, code }: Found) => `${file} ${place} ${code}`
  const before = new Set(checkState(files, published).map(keyOf))
  return checkState(files, withValues(files, published, values)).filter(
    (each) => values.has(itemOfFile(each.file, each.place)) || !before.has(keyOf(each)),
  )
}

export async function readItem(
  db: Tx,
  config: Pick<Config, 'contentFourEyes'> & ApproverRule,
  piece: string,
): Promise<ContentItemDetail> {
  const row = await findItem(db, piece)
  requireItem(piece, row)
  const files = baseFiles()
  const [draft, state] = [await listDraftOf(db, piece), await readPublished(db)]
  const published = publishedValue(files, state, piece)
  const value = withDraft(piece, published, draft)
  const found = problemsOf(state, new Map([[piece, value]]))
  const changes = changesBetween(flatten(published), flatten(value))
  const { contentFourEyes } = await readContentPolicy(db, config)
  return {
    ...summaryOf(piece, row, draft, found),
    file: fileValueOf(files, piece),
    published,
    value,
    draft: draft.map(({ place, value, n, saved_by, saver_name, saved_at }) => ({
      place,
      value,
      version: n,
      by: presentWho(saved_by, saver_name),
      at: saved_at.toISOString(),
    })),
    found: found.map(problemMessage),
    sensitive: sensitiveIn(piece, changes),
    changesOfficial: officialChanges([{ piece, changes }]).length > 0,
    twoPersons: sensitiveKinds.filter((kind) => contentFourEyes.has(kind)),
    legal:
      piece === 'messages/legal' ? currentLegal(files, row?.is_left_out ? new Map() : state.legal) : null,
    changes,
  }
}
