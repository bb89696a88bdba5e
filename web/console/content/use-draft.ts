import { useRef, useState } from 'react'
import {
  discardContentDraft,
  getContentPiece,
  saveContentDraft,
  type ContentPieceWhole,
} from '#contract/console-content.ts'
import type { TheirChange } from '#contract/errors.ts'
import { call, CallFailed } from '../../call/call.ts'
import { draftStore } from '../../state/draft-store.ts'
import { isSame, mergeValues, type Clashing, type Side } from './merge-values.ts'

/** The place of what is changed whole. */
export const WHOLE = ''

type Values = Readonly<Record<string, unknown>>
/** What was typed by place, on what version, and what stood there before. */
type Kept = { version: number; base: Values; typed: Values }

/** What others wrote where something was typed here. Of a list only the fields that both changed. */
export type Clash = { their: TheirChange; places: readonly Clashing[] }[]

/** Merged with what others keep writing, again and again: then it is time to look. */
const mergesMax = 5

const isWhole = (piece: ContentPieceWhole) => piece.kind === 'facts' || piece.kind === 'brand'

const valueIn = (piece: ContentPieceWhole, place: string): unknown =>
  piece.kind === 'messages' ? savedText(piece, place) : piece.value

/** A text as it was last saved. */
export function savedText({ value }: Pick<ContentPieceWhole, 'value'>, place: string): string {
  const at = place.indexOf('.')
  const texts = (value as Record<string, Record<string, string> | undefined>)[place.slice(0, at)]
  return texts?.[place.slice(at + 1)] ?? ''
}

/**
 * What is typed over a piece, kept in this tab until it is in the draft on the server: a reload, a refusal or a right that is
 * lost meanwhile loses nothing. Others may write other places at the same time; the same place is a clash of two texts.
 */
export function useDraft(
  memberId: string,
  piece: ContentPieceWhole,
  { onSaved, onMerged }: { onSaved: (piece: ContentPieceWhole) => void; onMerged: (who: string) => void },
) {
  const store = draftStore<Kept>(memberId, `content ${piece.piece}`)
  const [kept, setKept] = useState(() => store.read())
  const [isRestored, setRestored] = useState(kept !== null)
  const [clash, setClash] = useState<Clash>()
  // What is typed while a save is under way stays typed.
  const latest = useRef(kept)

  const keep = (next: Kept | null) => {
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
  const drop = () => {
    keep(null)
    setClash(undefined)
    setRestored(false)
  }

  /** The piece with everything that is typed; null where others wrote the same, which is then shown. */
  const save = async (attempt = 0): Promise<ContentPieceWhole | null> => {
    const sent = latest.current
    if (!sent) return piece
    try {
      const body = { piece: piece.piece, version: sent.version, changes: { ...sent.typed } }
      const saved = await call(saveContentDraft, { body })
      const since = Object.entries(latest.current?.typed ?? {}).filter(
        ([place, value]) => !isSame(value, sent.typed[place]),
      )
      keep({ version: saved.version, base: sent.typed, typed: Object.fromEntries(since) })
      setRestored(false)
      onSaved(saved)
      return saved
    } catch (failure) {
      if (!(failure instanceof CallFailed) || failure.theirs.length === 0) throw failure
      return await meet(sent, failure.theirs, attempt)
    }
  }

  const meet = async (sent: Kept, theirs: readonly TheirChange[], attempt: number) => {
    if (!isWhole(piece)) {
      setClash(
        theirs.map((their) => ({
          their,
          places: [{ place: their.place, mine: sent.typed[their.place], theirs: their.value }],
        })),
      )
      return null
    }
    const their = theirs[0]!
    const { value, clashes } = mergeValues(sent.base[WHOLE], latest.current?.typed[WHOLE], their.value)
    if (clashes.length > 0 || attempt >= mergesMax) {
      setClash([{ their, places: clashes }])
      return null
    }
    onMerged(their.by?.name ?? '')
    keep({ version: their.version, base: { [WHOLE]: their.value }, typed: { [WHOLE]: value } })
    return await save(attempt + 1)
  }

  /** Goes on with whose text was chosen at each place, on top of what others wrote elsewhere. */
  const settle = async (choices: Readonly<Record<string, Side>>): Promise<ContentPieceWhole | null> => {
    const before = latest.current
    if (!clash || !before) return null
    const version = Math.max(before.version, ...clash.map(({ their }) => their.version))
    if (isWhole(piece)) {
      const { their } = clash[0]!
      const { value } = mergeValues(before.base[WHOLE], before.typed[WHOLE], their.value, choices)
      keep({ version, base: { [WHOLE]: their.value }, typed: { [WHOLE]: value } })
    } else {
      const typed = Object.entries(before.typed).filter(([place]) => choices[place] !== 'theirs')
      const base = Object.fromEntries(clash.map(({ their }) => [their.place, their.value]))
      keep({ version, base: { ...before.base, ...base }, typed: Object.fromEntries(typed) })
    }
    setClash(undefined)
    if (latest.current) return await save()
    const theirs = await call(getContentPiece, { query: { piece: piece.piece } })
    onSaved(theirs)
    return theirs
  }

  /** Forgets the draft on the server, too. */
  const discard = async (): Promise<ContentPieceWhole> => {
    const { hasDraft, version } = piece
    const now = hasDraft ? await call(discardContentDraft, { body: { piece: piece.piece, version } }) : piece
    drop()
    return now
  }
  const typed = kept?.typed ?? {}
  return {
    piece,
    typed,
    isDirty: kept !== null,
    isRestored,
    clash,
    valueAt,
    textAt,
    set,
    drop,
    save,
    settle,
    discard,
  }
}

export type Draft = ReturnType<typeof useDraft>
