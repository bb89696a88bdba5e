import { useRef, useState } from 'react'
import {
  discardContentDraft,
  getContentItem,
  saveContentDraft,
  type ContentItemDetail,
} from '#contract/publishing/console-content.ts'
import type { TheirChange } from '#contract/platform/errors.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { draftStore } from '../../kernel/state/draft-store.ts'
import { isSame, mergeValues, type ValueConflict, type Side } from './merge-values.ts'

/** The place for values that change as a whole. */
export const WHOLE = ''

type Values = Readonly<Record<string, unknown>>
/** Input by place, the version it is based on, and the values before. */
type StoredDraft = { version: number; base: Values; typed: Values }

/** Changes by others in places with input. For lists, only the fields that both sides changed. */
export type EditConflict = { their: TheirChange; places: readonly ValueConflict[] }[]

/** After this many merges with ongoing changes by others, the editor has to resolve the conflict. */
const mergesMax = 5

const isWhole = (piece: ContentItemDetail) => piece.kind === 'facts' || piece.kind === 'brand'

const valueIn = (piece: ContentItemDetail, place: string): unknown =>
  piece.kind === 'messages' ? savedText(piece, place) : piece.value

/** A text as last saved. */
export function savedText({ value }: Pick<ContentItemDetail, 'value'>, place: string): string {
  const at = place.indexOf('.')
  const texts = (value as Record<string, Record<string, string> | undefined>)[place.slice(0, at)]
  return texts?.[place.slice(at + 1)] ?? ''
}

/**
 * Input for a content item, stored in this tab until it is in the server's draft, so that a reload, an error, or a
 * revoked right loses nothing. Others can edit other places at the same time. Changes of the same place are a conflict.
 */
export function useDraft(
  memberId: string,
  piece: ContentItemDetail,
  { onSaved, onMerged }: { onSaved: (piece: ContentItemDetail) => void; onMerged: (who: string) => void },
) {
  const input = useInput(memberId, piece)
  const { latest, keep } = input
  const [isRestored, setRestored] = useState(input.kept !== null)
  const [conflict, setConflict] = useState<EditConflict>()
  const clearInput = () => {
    keep(null)
    setConflict(undefined)
    setRestored(false)
  }

  /** Saves all input and returns the item, or null if others changed the same places, which are then shown. */
  const save = async (attempt = 0): Promise<ContentItemDetail | null> => {
    const sent = latest.current
    if (!sent) return piece
    try {
      const body = { piece: piece.piece, version: sent.version, changes: { ...sent.typed } }
      const saved = await call(saveContentDraft, { body })
      keep({ version: saved.version, base: sent.typed, typed: typedSince(sent, latest.current) })
      setRestored(false)
      onSaved(saved)
      return saved
    } catch (failure) {
      if (!(failure instanceof CallFailed) || failure.theirs.length === 0) throw failure
      const outcome = mergeTheirs(piece, sent, latest.current, failure.theirs)
      if ('conflict' in outcome || attempt >= mergesMax) {
        setConflict('conflict' in outcome ? outcome.conflict : [{ their: failure.theirs[0]!, places: [] }])
        return null
      }
      onMerged(failure.theirs[0]!.by?.name ?? '')
      keep(outcome.merged)
      return await save(attempt + 1)
    }
  }

  /** Continues with the text that was chosen for each place, along with the other changes. */
  const resolveConflict = async (
    choices: Readonly<Record<string, Side>>,
  ): Promise<ContentItemDetail | null> => {
    if (!conflict || !latest.current) return null
    keep(applyChoices(piece, latest.current, conflict, choices))
    setConflict(undefined)
    if (latest.current) return await save()
    const theirs = await call(getContentItem, { query: { piece: piece.piece } })
    onSaved(theirs)
    return theirs
  }

  /** Also discards the draft on the server. */
  const discard = async (): Promise<ContentItemDetail> => {
    const { hasDraft, version } = piece
    const now = hasDraft ? await call(discardContentDraft, { body: { piece: piece.piece, version } }) : piece
    clearInput()
    return now
  }
  return {
    piece,
    typed: input.kept?.typed ?? {},
    isDirty: input.kept !== null,
    isRestored,
    conflict,
    valueAt: input.valueAt,
    textAt: input.textAt,
    set: input.set,
    clearInput,
    save,
    resolveConflict,
    discard,
  }
}

export type Draft = ReturnType<typeof useDraft>

/** What was typed and is not saved. `latest` includes what was typed after the last render, such as during a save. */
function useInput(memberId: string, piece: ContentItemDetail) {
  const store = draftStore<StoredDraft>(memberId, `content ${piece.piece}`)
  const [kept, setKept] = useState(() => store.read())
  const latest = useRef(kept)
  const keep = (next: StoredDraft | null) => {
    latest.current = next && Object.keys(next.typed).length > 0 ? next : null
    setKept(latest.current)
    store.write(latest.current)
  }
  const valueAt = (place: string): unknown =>
    kept && place in kept.typed ? kept.typed[place] : valueIn(piece, place)
  const textAt = (place: string): string => {
    const value = valueAt(place)
    return typeof value === 'string' ? value : ''
  }
  const set = (place: string, value: unknown) => {
    const before = latest.current ?? { version: piece.version, base: {}, typed: {} }
    const { [place]: _, ...others } = before.typed
    const typed = isSame(value, valueIn(piece, place)) ? others : { ...others, [place]: value }
    keep({ ...before, base: { [place]: valueIn(piece, place), ...before.base }, typed })
  }
  return { kept, latest, keep, valueAt, textAt, set }
}

/** The input that differs from what was sent. */
const typedSince = (sent: StoredDraft, now: StoredDraft | null): Values =>
  Object.fromEntries(
    Object.entries(now?.typed ?? {}).filter(([place, value]) => !isSame(value, sent.typed[place])),
  )

/** Merges the changes of others into the input, or returns the places that both sides changed. */
function mergeTheirs(
  piece: ContentItemDetail,
  sent: StoredDraft,
  now: StoredDraft | null,
  theirs: readonly TheirChange[],
): { merged: StoredDraft } | { conflict: EditConflict } {
  if (!isWhole(piece)) {
    const placeOf = ({ place, value }: TheirChange) => ({ place, mine: sent.typed[place], theirs: value })
    return { conflict: theirs.map((their) => ({ their, places: [placeOf(their)] })) }
  }
  const their = theirs[0]!
  const { value, conflicts } = mergeValues(sent.base[WHOLE], now?.typed[WHOLE], their.value)
  if (conflicts.length > 0) return { conflict: [{ their, places: conflicts }] }
  return { merged: { version: their.version, base: { [WHOLE]: their.value }, typed: { [WHOLE]: value } } }
}

/** The input after a conflict: the chosen side of each place, and the other changes. */
function applyChoices(
  piece: ContentItemDetail,
  { version: before, base, typed }: StoredDraft,
  conflict: EditConflict,
  choices: Readonly<Record<string, Side>>,
): StoredDraft {
  const version = Math.max(before, ...conflict.map(({ their }) => their.version))
  if (isWhole(piece)) {
    const { their } = conflict[0]!
    const { value } = mergeValues(base[WHOLE], typed[WHOLE], their.value, choices)
    return { version, base: { [WHOLE]: their.value }, typed: { [WHOLE]: value } }
  }
  const mine = Object.entries(typed).filter(([place]) => choices[place] !== 'theirs')
  const theirs = Object.fromEntries(conflict.map(({ their }) => [their.place, their.value]))
  return { version, base: { ...base, ...theirs }, typed: Object.fromEntries(mine) }
}
