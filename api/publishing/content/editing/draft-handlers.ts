import { isDeepStrictEqual } from 'node:util'
import type { api } from '#contract/api.ts'
import { draftBytesMax } from '#contract/publishing/console-content.ts'
import type { TheirChange } from '#contract/platform/errors.ts'
import { languages } from '#contract/platform/languages.ts'
import { changesBetween, type SettingChange } from '#contract/people/settings.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import { furtherLanguages } from '../../../platform/site-content/further-language.ts'
import { readContentPolicy } from '../../../people/four-eyes/read-policy.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { isRecord } from '../../../platform/is-record.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { presentWho } from '../../../people/settings/present-version.ts'
import { problemMessage } from '../rules/say-problem.ts'
import {
  baseFiles,
  brandParts,
  changesAsWhole,
  fileValueOf,
  flatten,
  inKnownLanguages,
  kindOf,
  type ItemValue,
  type Parts,
} from './content-item.ts'
import { findContentVersion, listVersionsSince } from './content-version.queries.ts'
import { deleteDraft, deleteDraftPlace, listDraftOf, readDraftBytes, upsertDraft } from './draft.queries.ts'
import { hasPlace, NOTHING, valueAt, withDraft, WHOLE } from './draft.ts'
import type { ItemVersion } from './publish-items.ts'
import { endProposal } from './releases.ts'
import { listTakenAddresses } from './entry-addresses.ts'
import { findItem, lockItem, readPublished, setItemNumber, setRestored } from './content-item.queries.ts'
import { problemsOf, readItem, readItems, requireItem } from './read-items.ts'
import { sensitiveIn } from './sensitive.ts'
import { publishedValue, type Published } from './site-state.ts'

/** Longer than any rule allows, so that text that is too long can be stored and reported. */
const textLengthMax = 20_000
const depthMax = 12

export const listContentItems: Handler<typeof api.listContentItems> = (_, { db }) => readItems(db)

export const getContentItem: Handler<typeof api.getContentItem> = ({ query }, { db, config }) =>
  readItem(db, config, query.piece)

export const saveContentDraft: Handler<typeof api.saveContentDraft> = async ({ body }, context) => {
  const { piece, version, changes } = body
  for (const [place, value] of Object.entries(changes)) requireStorable(piece, place, value)
  return transaction(context.db, async (db) => {
    requireItem(piece, await findItem(db, piece))
    const published = publishedValue(baseFiles(), await lockPublished(db, piece), piece)
    const unknown = Object.keys(changes).find((place) => !hasPlace(piece, published, place))
    if (unknown !== undefined) throw refusedField(`changes.${unknown}`, 'unknown')
    await saveDraft(db, { piece, version, changes: new Map(Object.entries(changes)) }, published, context)
    return readItem(db, context.config, piece)
  })
}

/** Drafts may break content rules, but must be storable and displayable. */
function requireStorable(piece: string, place: string, value: unknown): void {
  const path = `changes.${place}`
  const kind = kindOf(piece)
  if (value === null) return
  // A PDF enters a draft only by upload, which checks its bytes.
  if (kind === 'document') throw refusedField(path, 'separately')
  if (kind === 'messages' && typeof value !== 'string') throw refusedField(path, 'invalid')
  if (kind === 'brand' && !isRecord(value)) throw refusedField(path, 'invalid')
  if (kind === 'brand') {
    const strange = Object.keys(value as object).find(
      (key) => !(brandParts as readonly string[]).includes(key),
    )
    if (strange !== undefined) throw refusedField(`changes.${strange}`, 'unknown')
  }
  if (kind === 'facts' && !isRecord(value) && !Array.isArray(value)) throw refusedField(path, 'invalid')
  requireStorablePart(path, value, 0)
}

function requireStorablePart(path: string, value: unknown, depth: number): void {
  if (depth > depthMax) throw refusedField(path, 'invalid')
  if (typeof value === 'string') {
    if (value.length > textLengthMax) throw refusedField(path, 'too_long', { max: textLengthMax })
    // Neither can be stored.
    if (value.includes('\0') || !value.isWellFormed()) throw refusedField(path, 'invalid')
  } else if (Array.isArray(value)) for (const each of value) requireStorablePart(path, each, depth + 1)
  else if (isRecord(value))
    for (const [key, each] of Object.entries(value)) {
      if (key === '__proto__' || key.includes('\0') || !key.isWellFormed())
        throw refusedField(path, 'invalid')
      requireStorablePart(path, each, depth + 1)
    }
}

/** Locks the item, so that its published content can't change until the draft is stored. */
export async function lockPublished(db: Tx, piece: string): Promise<Published> {
  await lockItem(db, piece)
  return readPublished(db)
}

type Saver = { caller: { memberId: string } }
/** Null: as it is published. */
type Given = { piece: string; version: number; changes: ReadonlyMap<string, unknown> }

const kept = (value: unknown): unknown => (value === NOTHING ? null : value)

/** Stores the changes, unless someone else changed the same places since. Any proposal with the piece ends. */
export async function saveDraft(
  db: Tx,
  { piece, version, changes }: Given,
  published: ItemValue,
  { caller }: Saver,
): Promise<void> {
  const row = await lockItem(db, piece)
  await endProposal(db, row.release_id, caller.memberId)
  if (version > row.n) throw new Refused('conflict')
  const theirs = await findTheirs(db, { piece, version, changes }, published)
  if (theirs.length > 0) throw new Refused('conflict', { theirs })
  const n = row.n + 1
  for (const [place, value] of changes) {
    const isAsPublished =
      value === null || isDeepStrictEqual(kept(value), valueAt(piece, published, place) ?? null)
    if (isAsPublished) await deleteDraftPlace(db, piece, place)
    else await upsertDraft(db, { piece, place, value: kept(value), n, by: caller.memberId })
  }
  // A further edited draft is no longer the restored version.
  await setRestored(db, piece, null)
  if ((await readDraftBytes(db, piece)) > draftBytesMax)
    throw refusedField('changes', 'too_long', { max: draftBytesMax })
  await setItemNumber(db, piece, n)
}

/** Different values that others saved or published in the same places after `version`. */
async function findTheirs(
  db: Tx,
  { piece, version, changes }: Given,
  published: ItemValue,
): Promise<TheirChange[]> {
  const theirs = new Map<string, TheirChange>()
  for (const since of await listVersionsSince(db, piece, version))
    for (const place of changes.keys())
      if (!theirs.has(place) && touches(piece, place, since.changes as SettingChange[]))
        theirs.set(place, {
          place,
          value: valueAt(piece, published, place) ?? null,
          version: since.n,
          by: presentWho(since.by_member_id, since.author_name),
          at: since.at.toISOString(),
        })
  for (const entry of await listDraftOf(db, piece))
    if (entry.n > version && changes.has(entry.place))
      theirs.set(entry.place, {
        place: entry.place,
        value: entry.value,
        version: entry.n,
        by: presentWho(entry.saved_by, entry.saver_name),
        at: entry.saved_at.toISOString(),
      })
  return [...theirs.values()].filter(
    ({ place, value }) => !isDeepStrictEqual(kept(changes.get(place)) ?? null, value),
  )
}

const touches = (piece: string, place: string, changes: readonly SettingChange[]): boolean =>
  place === WHOLE ||
  changes.some(({ path }) => (kindOf(piece) === 'document' ? path.startsWith(`${place}.`) : path === place))

/** Locks the item to replace its draft, unless somebody changed it since. Any proposal with it ends. */
async function openItem(db: Tx, { piece, version }: ItemVersion, memberId: string) {
  requireItem(piece, await findItem(db, piece))
  const row = await lockItem(db, piece)
  await endProposal(db, row.release_id, memberId)
  if (row.n !== version) throw new Refused('conflict')
  return row
}

export const discardContentDraft: Handler<typeof api.discardContentDraft> = ({ body }, context) =>
  transaction(context.db, async (db) => {
    const { memberId } = context.caller
    const { n } = await openItem(db, body, memberId)
    if (await deleteDraft(db, body.piece)) {
      await setRestored(db, body.piece, null)
      await setItemNumber(db, body.piece, n + 1)
      await recordAudit(db, {
        actorId: memberId,
        action: 'content-discarded',
        subjectKind: 'content',
        subjectId: body.piece,
      })
    }
    return readItem(db, context.config, body.piece)
  })

export const checkContentDrafts: Handler<typeof api.checkContentDrafts> = async (
  { body },
  { db, config, keys },
) => {
  const { contentFourEyes } = await readContentPolicy(db, config)
  const state = await readPublished(db)
  const values = new Map<string, ItemValue>()
  for (const piece of body.pieces) {
    requireItem(piece, await findItem(db, piece))
    values.set(piece, await readDraftValue(db, state, piece))
  }
  const sensitive = [...values].flatMap(([piece, value]) =>
    sensitiveIn(piece, changesBetween(flatten(publishedValue(baseFiles(), state, piece)), flatten(value))),
  )
  return {
    problems: [...problemsOf(state, values), ...(await listTakenAddresses(db, keys, state, values))].map(
      problemMessage,
    ),
    sensitive: [...new Set(sensitive)],
    takesTwo: sensitive.some((kind) => contentFourEyes.has(kind)),
  }
}

export const readDraftValue = async (db: Tx, state: Published, piece: string): Promise<ItemValue> =>
  withDraft(piece, publishedValue(baseFiles(), state, piece), await listDraftOf(db, piece))

/** The old value becomes the draft, as far as the program still has its places. */
export const restoreContentVersion: Handler<typeof api.restoreContentVersion> = ({ params, body }, context) =>
  transaction(context.db, async (db) => {
    const { memberId } = context.caller
    const version = await findContentVersion(db, params.id)
    if (!version) throw new Refused('not_found')
    const { piece } = version
    const { n } = await openItem(db, { piece, version: body.version }, memberId)
    const published = publishedValue(baseFiles(), await readPublished(db), piece)
    await deleteDraft(db, piece)
    const changes = new Map(
      [...placesOf(piece, version.value), ...placesBeside(piece, version.value, published)].filter(
        ([place]) => hasPlace(piece, published, place),
      ),
    )
    await saveDraft(db, { piece, version: n, changes }, published, context)
    await setRestored(db, piece, params.id)
    await recordAudit(db, {
      actorId: memberId,
      action: 'content-restored',
      subjectKind: 'content',
      subjectId: piece,
      detail: { version: params.id },
    })
    return readItem(db, context.config, piece)
  })

function placesOf(piece: string, value: ItemValue): [string, unknown][] {
  if (changesAsWhole(piece)) return [[WHOLE, inKnownLanguages(value)]]
  const parts = Object.entries(value as Parts)
  if (kindOf(piece) === 'document') return parts.map(([language, entry]) => [language, entry ?? NOTHING])
  return parts.flatMap(([language, texts]) =>
    Object.entries(texts ?? {}).map(([key, text]): [string, unknown] => [`${language}.${key}`, text]),
  )
}

/** What is published by now, was not there then, and need not be: editions of a document, texts of a language with gaps. */
function placesBeside(piece: string, then: ItemValue, published: ItemValue): [string, unknown][] {
  const kind = kindOf(piece)
  if (kind !== 'messages' && kind !== 'document') return []
  const [before, now] = [then as Parts, published as Parts]
  if (kind === 'document')
    return languages.flatMap((language) => (now[language] && !before[language] ? [[language, NOTHING]] : []))
  const inFile = fileValueOf(baseFiles(), piece) as Parts
  return furtherLanguages.flatMap((language) =>
    Object.keys(now[language] ?? {}).flatMap((key): [string, unknown][] => {
      const stood = [before, inFile].some((texts) => Object.hasOwn(texts[language] ?? {}, key))
      return stood ? [] : [[`${language}.${key}`, NOTHING]]
    }),
  )
}
