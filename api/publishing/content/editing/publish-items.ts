import type { LegalDocument } from '#contract/people/consents.ts'
import type { SensitiveKind } from '#contract/publishing/console-content.ts'
import { changesBetween, type SettingChange } from '#contract/people/settings.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { announceChange } from '../../../platform/db/changes.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Keys } from '../../../platform/keys.ts'
import { notifyAboutOfficial } from '../../../people/settings/notify-about-official.ts'
import { Refused } from '../../../platform/refused.ts'
import type { Services } from '../../../platform/services.ts'
import { nextVersion } from '../rules/legal-version.ts'
import { problemMessage } from '../rules/say-problem.ts'
import { baseFiles, fileValueOf, flatten, type ItemValue, overrideFor, tidied } from './content-item.ts'
import { holdFiles } from './content-file.queries.ts'
import {
  findItem,
  insertLegalVersion,
  lockContent,
  lockItem,
  readPublished,
  readToday,
  setPublished,
} from './content-item.queries.ts'
import { deleteOldVersions, hasVersions, insertContentVersion } from './content-version.queries.ts'
import { withDraft } from './draft.ts'
import { deleteDraft, listDraftOf } from './draft.queries.ts'
import { ambassadorEntries, claimEntryAddresses, listTakenAddresses } from './entry-addresses.ts'
import {
  describeOfficialChanges,
  holdsOfficialRight,
  officialChanges,
  type ItemChanges,
} from './official-changes.ts'
import { problemsOf, requireItem } from './read-items.ts'
import { sensitiveIn } from './sensitive.ts'
import { currentLegal, publishedValue, type Published } from './site-state.ts'

export type ItemVersion = { piece: string; version: number }

type ReadyItem = {
  piece: string
  n: number
  value: ItemValue
  before: ItemValue
  changes: SettingChange[]
  releaseId: string | null
  restoredId: string | null
}

/** Drafts that can be published together: locked, as reviewed, and valid. */
export type Ready = {
  state: Published
  items: ReadyItem[]
  changes: ItemChanges[]
  sensitive: SensitiveKind[]
  /** Whether it changes the official list. */
  changesOfficial: boolean
}

/** Holds the content lock until the transaction ends. */
export async function readyToPublish(db: Tx, keys: Keys, given: readonly ItemVersion[]): Promise<Ready> {
  await lockContent(db)
  const state = await readPublished(db)
  const items: ReadyItem[] = []
  for (const each of given.toSorted((a, b) => (a.piece < b.piece ? -1 : 1)))
    items.push(await readyItem(db, state, each))
  const values = new Map(items.map(({ piece, value }) => [piece, value]))
  const broken = [...problemsOf(state, values), ...(await listTakenAddresses(db, keys, state, values))]
  if (broken.length > 0) throw new Refused('content_broken', { broken: broken.map(problemMessage) })
  const changes = items.map(({ piece, changes: own }) => ({ piece, changes: own }))
  const sensitive = changes.flatMap((each) => sensitiveIn(each.piece, each.changes))
  return {
    state,
    items,
    changes,
    sensitive: [...new Set(sensitive)],
    changesOfficial: officialChanges(changes).length > 0,
  }
}

async function readyItem(db: Tx, state: Published, { piece, version }: ItemVersion): Promise<ReadyItem> {
  requireItem(piece, await findItem(db, piece))
  const { n, release_id, restored_id } = await lockItem(db, piece)
  // A different draft than the reviewed one.
  if (n !== version) throw new Refused('conflict')
  const before = publishedValue(baseFiles(), state, piece)
  const draft = withDraft(piece, before, await listDraftOf(db, piece))
  const value = tidied(piece, draft) ?? draft
  const changes = changesBetween(flatten(before), flatten(value))
  return { piece, n, before, value, changes, releaseId: release_id, restoredId: restored_id }
}

type Authors = { by: string | null; confirmedBy: string | null; newVersions: readonly LegalDocument[] }

/**
 * Publishes the drafts in the transaction that has locked them, together with versions, log entries, and the
 * notification to every instance.
 */
export async function publishItems(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  { state, items, changes }: Pick<Ready, 'state' | 'items' | 'changes'>,
  { by, confirmedBy, newVersions }: Authors,
): Promise<void> {
  await guardOfficialList(db, services, changes, [by, confirmedBy])
  const files = baseFiles()
  const legal = currentLegal(files, state.legal)
  const made = await nextVersions(db, legal, newVersions)
  for (const { releaseId: _, ...item } of items) {
    const { piece, value } = item
    const isLegal = piece === 'messages/legal'
    if (piece === ambassadorEntries && (await claimEntryAddresses(db, services.keys, value)).length > 0)
      throw new Refused('conflict')
    await holdFiles(db, value)
    await publishItem(db, {
      ...item,
      override: overrideFor(piece, fileValueOf(files, piece), value),
      by,
      confirmedBy,
      origin: 'console',
      newVersions: isLegal ? newVersions : [],
      legal: isLegal ? { before: legal, after: { ...legal, ...made } } : null,
    })
    await deleteDraft(db, piece)
  }
  // From now on members are asked to accept these.
  for (const [document, version] of Object.entries(made))
    await insertLegalVersion(db, { document: document as LegalDocument, version, by })
  await announceChange(db, 'content')
}

type Legal = Readonly<Record<LegalDocument, string>>
type Publication = Omit<ReadyItem, 'releaseId'> &
  Authors & {
    override: unknown
    origin: 'console' | 'command'
    /** For legal texts: the versions before and after. */
    legal: { before: Legal; after: Legal } | null
  }

/** Stores the new version of a locked item. The first time, also the file's value, so that it can be restored. */
export async function publishItem(
  db: Tx,
  { before, value, override, changes, legal, ...publication }: Publication,
): Promise<void> {
  const { piece, by, confirmedBy, origin, newVersions } = publication
  const n = publication.n + 1
  if (!(await hasVersions(db, piece)))
    await insertContentVersion(db, {
      piece,
      n: n - 1,
      value: before,
      changes: [],
      by: null,
      origin: 'file',
      legal: legal && legal.before,
    })
  await insertContentVersion(db, { ...publication, n, value, changes, legal: legal && legal.after })
  await deleteOldVersions(db, piece)
  await setPublished(db, piece, { n, override, by })
  await recordAudit(db, {
    actorId: confirmedBy ?? by,
    action: origin === 'command' ? 'content-imported' : 'content-published',
    subjectKind: 'content',
    subjectId: piece,
    detail: {
      places: changes.slice(0, 20).map(({ path }) => path),
      ...(confirmedBy !== null && by !== null && { proposedBy: by }),
      ...(newVersions.length > 0 && { newVersions: [...newVersions] }),
    },
  })
}

/** The final check of the right on every path, and the email to everyone who watches the official list. */
async function guardOfficialList(
  db: Tx,
  services: Pick<Services, 'keys' | 'config'>,
  changes: readonly ItemChanges[],
  by: readonly (string | null)[],
): Promise<void> {
  const official = officialChanges(changes)
  if (official.length === 0) return
  if (!(await holdsOfficialRight(db, services.config, by))) throw new Refused('forbidden')
  const memberIds = by.filter((id) => id !== null)
  await notifyAboutOfficial(db, services, { memberIds }, describeOfficialChanges(official))
}

/** The names of new versions of these texts. */
async function nextVersions(
  db: Tx,
  current: Legal,
  documents: readonly LegalDocument[],
): Promise<Partial<Record<LegalDocument, string>>> {
  const today = await readToday(db)
  return Object.fromEntries(documents.map((each) => [each, nextVersion(current[each], today)]))
}
