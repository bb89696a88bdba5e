import { isDeepStrictEqual } from 'node:util'
import type { api } from '#contract/api.ts'
import { draftBytesMax } from '#contract/console-content.ts'
import type { TheirChange } from '#contract/errors.ts'
import { languages } from '#contract/languages.ts'
import { changesBetween, type SettingChange } from '#contract/settings.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { transaction, type Tx } from '../../db/database.ts'
import { furtherLanguages } from '../../further-language.ts'
import { readContentPolicy } from '../../four-eyes/read-policy.ts'
import type { Handler } from '../../http/handler.ts'
import { Refused, refusedField } from '../../refused.ts'
import { sayProblem } from '../rules/say-problem.ts'
import { baseFiles } from './base-files.ts'
import { findContentVersion, listVersionsSince } from './content-version.queries.ts'
import { deleteDraft, deleteDraftPlace, listDraftOf, readDraftBytes, upsertDraft } from './draft.queries.ts'
import { hasPlace, NOTHING, valueAt, withDraft, WHOLE } from './draft.ts'
import { endWaiting } from './end-waiting.ts'
import { takenAddresses } from './entry-addresses.ts'
import { inKnownLanguages } from './in-known-languages.ts'
import { fileValueOf, flatten, kindOf, type PieceValue } from './piece.ts'
import { findPiece, lockPiece, readPublished, setPieceNumber, setRestored } from './piece.queries.ts'
import { problemsOf, readPiece, readPieces, requirePiece, whoOf } from './present-piece.ts'
import { requireKeepable } from './require-keepable.ts'
import { sensitiveIn } from './sensitive.ts'
import { publishedValue, type Published } from './site-state.ts'

export const listContentPieces: Handler<typeof api.listContentPieces> = (_, { db }) => readPieces(db)

export const getContentPiece: Handler<typeof api.getContentPiece> = ({ query }, { db, config }) =>
  readPiece(db, config, query.piece)

export const saveContentDraft: Handler<typeof api.saveContentDraft> = async ({ body }, context) => {
  const { piece, version, changes } = body
  for (const [place, value] of Object.entries(changes)) requireKeepable(piece, place, value)
  return transaction(context.db, async (db) => {
    requirePiece(piece, await findPiece(db, piece))
    // What is published of it cannot change any more until the draft is kept.
    await lockPiece(db, piece)
    const published = publishedValue(baseFiles(), await readPublished(db), piece)
    const unknown = Object.keys(changes).find((place) => !hasPlace(piece, published, place))
    if (unknown !== undefined) throw refusedField(`changes.${unknown}`, 'unknown')
    await saveDraft(db, { piece, version, changes: new Map(Object.entries(changes)) }, published, context)
    return readPiece(db, context.config, piece)
  })
}

type Saver = { caller: { memberId: string } }
/** Null: as it is published. */
type Given = { piece: string; version: number; changes: ReadonlyMap<string, unknown> }

const kept = (value: unknown): unknown => (value === NOTHING ? null : value)

/** Keeps what was changed, unless somebody else changed the same since. Whatever was proposed of the piece is over. */
export async function saveDraft(
  db: Tx,
  { piece, version, changes }: Given,
  published: PieceValue,
  { caller }: Saver,
): Promise<void> {
  const row = await lockPiece(db, piece)
  await endWaiting(db, row.release_id, caller.memberId)
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
  // What is edited further is not what was gone back to.
  await setRestored(db, piece, null)
  if ((await readDraftBytes(db, piece)) > draftBytesMax)
    throw refusedField('changes', 'too_long', { max: draftBytesMax })
  await setPieceNumber(db, piece, n)
}

/** What others kept or published at the same places after `version`, and which is not what is given. */
async function findTheirs(
  db: Tx,
  { piece, version, changes }: Given,
  published: PieceValue,
): Promise<TheirChange[]> {
  const theirs = new Map<string, TheirChange>()
  for (const since of await listVersionsSince(db, piece, version))
    for (const place of changes.keys())
      if (!theirs.has(place) && touches(piece, place, since.changes as SettingChange[]))
        theirs.set(place, {
          place,
          value: valueAt(piece, published, place) ?? null,
          version: since.n,
          by: whoOf(since.by_member_id, since.author_name),
          at: since.at.toISOString(),
        })
  for (const entry of await listDraftOf(db, piece))
    if (entry.n > version && changes.has(entry.place))
      theirs.set(entry.place, {
        place: entry.place,
        value: entry.value,
        version: entry.n,
        by: whoOf(entry.saved_by, entry.saver_name),
        at: entry.saved_at.toISOString(),
      })
  return [...theirs.values()].filter(
    ({ place, value }) => !isDeepStrictEqual(kept(changes.get(place)) ?? null, value),
  )
}

const touches = (piece: string, place: string, changes: readonly SettingChange[]): boolean =>
  place === WHOLE ||
  changes.some(({ path }) => (kindOf(piece) === 'document' ? path.startsWith(`${place}.`) : path === place))

export const discardContentDraft: Handler<typeof api.discardContentDraft> = ({ body }, context) =>
  transaction(context.db, async (db) => {
    const { memberId } = context.caller
    requirePiece(body.piece, await findPiece(db, body.piece))
    const row = await lockPiece(db, body.piece)
    await endWaiting(db, row.release_id, memberId)
    if (row.n !== body.version) throw new Refused('conflict')
    if (await deleteDraft(db, body.piece)) {
      await setRestored(db, body.piece, null)
      await setPieceNumber(db, body.piece, row.n + 1)
      await recordAudit(db, {
        actorId: memberId,
        action: 'content-discarded',
        subjectKind: 'content',
        subjectId: body.piece,
      })
    }
    return readPiece(db, context.config, body.piece)
  })

export const checkContentDrafts: Handler<typeof api.checkContentDrafts> = async (
  { body },
  { db, config, keys },
) => {
  const { contentTwoPersons } = await readContentPolicy(db, config)
  const state = await readPublished(db)
  const values = new Map<string, PieceValue>()
  for (const piece of body.pieces) {
    requirePiece(piece, await findPiece(db, piece))
    values.set(piece, await readDraftValue(db, state, piece))
  }
  const sensitive = [...values].flatMap(([piece, value]) =>
    sensitiveIn(piece, changesBetween(flatten(publishedValue(baseFiles(), state, piece)), flatten(value))),
  )
  return {
    problems: [...problemsOf(state, values), ...(await takenAddresses(db, keys, state, values))].map(
      sayProblem,
    ),
    sensitive: [...new Set(sensitive)],
    takesTwo: sensitive.some((kind) => contentTwoPersons.has(kind)),
  }
}

export const readDraftValue = async (db: Tx, state: Published, piece: string): Promise<PieceValue> =>
  withDraft(piece, publishedValue(baseFiles(), state, piece), await listDraftOf(db, piece))

/** The old value becomes the draft, as far as the program still has its places. */
export const restoreContentVersion: Handler<typeof api.restoreContentVersion> = ({ params, body }, context) =>
  transaction(context.db, async (db) => {
    const { memberId } = context.caller
    const version = await findContentVersion(db, params.id)
    if (!version) throw new Refused('not_found')
    const { piece } = version
    requirePiece(piece, await findPiece(db, piece))
    const row = await lockPiece(db, piece)
    await endWaiting(db, row.release_id, memberId)
    if (row.n !== body.version) throw new Refused('conflict')
    const published = publishedValue(baseFiles(), await readPublished(db), piece)
    await deleteDraft(db, piece)
    const changes = new Map(
      [...placesOf(piece, version.value), ...placesBeside(piece, version.value, published)].filter(
        ([place]) => hasPlace(piece, published, place),
      ),
    )
    await saveDraft(db, { piece, version: row.n, changes }, published, context)
    await setRestored(db, piece, params.id)
    await recordAudit(db, {
      actorId: memberId,
      action: 'content-restored',
      subjectKind: 'content',
      subjectId: piece,
      detail: { version: params.id },
    })
    return readPiece(db, context.config, piece)
  })

function placesOf(piece: string, value: PieceValue): [string, unknown][] {
  const kind = kindOf(piece)
  if (kind === 'facts' || kind === 'brand') return [[WHOLE, inKnownLanguages(value)]]
  const parts = Object.entries(value as Record<string, Record<string, unknown> | null>)
  if (kind === 'document') return parts.map(([language, entry]) => [language, entry ?? NOTHING])
  return parts.flatMap(([language, texts]) =>
    Object.entries(texts ?? {}).map(([key, text]): [string, unknown] => [`${language}.${key}`, text]),
  )
}

/** What is published by now, was not there then, and need not be: editions of a document, texts of a language with gaps. */
function placesBeside(piece: string, then: PieceValue, published: PieceValue): [string, unknown][] {
  const kind = kindOf(piece)
  if (kind !== 'messages' && kind !== 'document') return []
  type Parts = Readonly<Record<string, object | null | undefined>>
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
