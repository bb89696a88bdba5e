import type { LegalDocument } from '#contract/consents.ts'
import type { SensitiveKind } from '#contract/console-content.ts'
import { changesBetween } from '#contract/settings.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../keys.ts'
import { tellOfOfficial } from '../../official/tell-of-official.ts'
import { Refused, refusedField } from '../../refused.ts'
import type { Services } from '../../services.ts'
import { nextVersion } from '../rules/legal-version.ts'
import { sayProblem } from '../rules/say-problem.ts'
import { baseFiles } from './base-files.ts'
import { holdFiles } from './content-file.queries.ts'
import { deleteOldVersions, hasVersions, insertContentVersion } from './content-version.queries.ts'
import { deleteDraft, listDraftOf } from './draft.queries.ts'
import { describeOfficialChanges, holdsOfficialRight, officialChanges } from './official-parts.ts'
import { ambassadorEntries, takeEntryAddresses, takenAddresses } from './entry-addresses.ts'
import { withDraft } from './draft.ts'
import { fileValueOf, flatten, overrideFor, tidied, type PieceValue } from './piece.ts'
import {
  findPiece,
  insertLegalVersion,
  lockContent,
  lockPiece,
  readPublished,
  readToday,
  setPublished,
} from './piece.queries.ts'
import { problemsOf, requirePiece } from './present-piece.ts'
import type { PieceChanges } from './release.queries.ts'
import { sensitiveIn } from './sensitive.ts'
import { currentLegal, publishedValue, type Published } from './site-state.ts'

export type GivenPiece = { piece: string; version: number }

/** Drafts that may be published together: locked, as they were looked at, and within the rules. */
export type Ready = {
  state: Published
  pieces: {
    piece: string
    n: number
    value: PieceValue
    before: PieceValue
    releaseId: string | null
    restoredId: string | null
  }[]
  changes: PieceChanges[]
  sensitive: SensitiveKind[]
  /** Whether the official list would say something else. */
  changesOfficial: boolean
}

/** Holds the lock of the content until the transaction ends. */
export async function readyToPublish(db: Tx, keys: Keys, given: readonly GivenPiece[]): Promise<Ready> {
  await lockContent(db)
  const state = await readPublished(db)
  const files = baseFiles()
  const pieces: Ready['pieces'] = []
  for (const { piece, version } of given.toSorted((a, b) => (a.piece < b.piece ? -1 : 1))) {
    requirePiece(piece, await findPiece(db, piece))
    const row = await lockPiece(db, piece)
    // Another draft than the one that was looked at.
    if (row.n !== version) throw new Refused('conflict')
    const before = publishedValue(files, state, piece)
    const draft = withDraft(piece, before, await listDraftOf(db, piece))
    pieces.push({
      piece,
      n: row.n,
      before,
      value: tidied(piece, draft) ?? draft,
      releaseId: row.release_id,
      restoredId: row.restored_id,
    })
  }
  const values = new Map(pieces.map(({ piece, value }) => [piece, value]))
  const broken = [...problemsOf(state, values), ...(await takenAddresses(db, keys, state, values))]
  if (broken.length > 0) throw new Refused('content_broken', { broken: broken.map(sayProblem) })
  const changes = pieces.map(({ piece, before, value }) => ({
    piece,
    changes: changesBetween(flatten(before), flatten(value)),
  }))
  const sensitive = changes.flatMap((each) => sensitiveIn(each.piece, each.changes))
  return {
    state,
    pieces,
    changes,
    sensitive: [...new Set(sensitive)],
    changesOfficial: officialChanges(changes).length > 0,
  }
}

/** A new version of a legal text is one of what it says. */
export function requireLegalPiece(given: readonly GivenPiece[], newVersions: readonly LegalDocument[]): void {
  if (newVersions.length > 0 && !given.some(({ piece }) => piece === 'messages/legal'))
    throw refusedField('newVersions', 'invalid')
}

type How = {
  by: string | null
  confirmedBy: string | null
  newVersions: readonly LegalDocument[]
  origin: 'console' | 'command'
}

/**
 * Makes the drafts public, in the transaction that has locked them: versions, the record, and the notice to every instance
 * come with them or not at all.
 */
export async function publishPieces(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  { state, pieces, changes }: Pick<Ready, 'state' | 'pieces' | 'changes'>,
  { by, confirmedBy, newVersions, origin }: How,
): Promise<void> {
  const { keys } = services
  await guardOfficialList(db, services, changes, [by, confirmedBy])
  const files = baseFiles()
  const legal = currentLegal(files, state.legal)
  const made = await nextVersions(db, legal, newVersions)
  for (const { piece, n, before, value, restoredId } of pieces) {
    const isLegal = piece === 'messages/legal'
    const differing = changes.find((each) => each.piece === piece)!.changes
    await keepFirstVersion(db, { piece, n, value: before, legal: isLegal ? legal : null })
    if (piece === ambassadorEntries && (await takeEntryAddresses(db, keys, value)).length > 0)
      throw new Refused('conflict')
    await holdFiles(db, value)
    await insertContentVersion(db, {
      piece,
      n: n + 1,
      value,
      changes: differing,
      by,
      confirmedBy,
      origin,
      restoredId,
      newVersions: isLegal ? newVersions : [],
      legal: isLegal ? { ...legal, ...made } : null,
    })
    await deleteOldVersions(db, piece)
    await deleteDraft(db, piece)
    const override = overrideFor(piece, fileValueOf(files, piece), value)
    await setPublished(db, piece, { n: n + 1, override, by })
    await recordAudit(db, {
      actorId: confirmedBy ?? by,
      action: origin === 'command' ? 'content-imported' : 'content-published',
      subjectKind: 'content',
      subjectId: piece,
      detail: {
        places: differing.slice(0, 20).map(({ path }) => path),
        ...(confirmedBy !== null && by !== null && { proposedBy: by }),
        ...(isLegal && newVersions.length > 0 && { newVersions: [...newVersions] }),
      },
    })
  }
  // From now on members are asked for their consent to these.
  for (const [document, version] of Object.entries(made))
    await insertLegalVersion(db, { document: document as LegalDocument, version, by })
  await announceChange(db, 'content')
}

/** Keeps what the file said before the first publication, so that it can be restored. */
async function keepFirstVersion(
  db: Tx,
  version: Pick<Parameters<typeof insertContentVersion>[1], 'piece' | 'n' | 'value' | 'legal'>,
): Promise<void> {
  if (await hasVersions(db, version.piece)) return
  await insertContentVersion(db, { ...version, changes: [], by: null, origin: 'file' })
}

/** The last check of the right, whichever way led here, and the email to everyone who watches the official list. */
async function guardOfficialList(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  changes: readonly PieceChanges[],
  by: readonly (string | null)[],
): Promise<void> {
  const official = officialChanges(changes)
  if (official.length === 0) return
  if (!(await holdsOfficialRight(db, services.config, by))) throw new Refused('forbidden')
  const memberIds = by.filter((id) => id !== null)
  await tellOfOfficial(db, services, { memberIds }, describeOfficialChanges(official))
}

/** What the new versions of these texts are called. */
async function nextVersions(
  db: Tx,
  current: Readonly<Record<LegalDocument, string>>,
  documents: readonly LegalDocument[],
): Promise<Partial<Record<LegalDocument, string>>> {
  const today = await readToday(db)
  return Object.fromEntries(documents.map((each) => [each, nextVersion(current[each], today)]))
}
