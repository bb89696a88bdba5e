import { useEffect, useMemo, useRef, useState } from 'react'
import { categoryNames } from '#contract/announcements.ts'
import { SECOND } from '#contract/durations.ts'
import { dropWorkingCopy, keepWorkingCopy } from '#contract/newsroom.ts'
import { CallFailed, callUnseen } from '../../call/call.ts'
import { useSession } from '../../session/session.ts'
import {
  keepText,
  newCopyId,
  placeOnServer,
  type FormPlace,
  type KeptText,
  type PostText,
} from './kept-text.ts'
import { areRightsLost } from './rights-lost.ts'
import { TextKeeper, type Keeping, type NotKept } from './text-keeper.ts'

/** A save does not wait longer than this for the copy that is under way. */
const patience = 3 * SECOND

function explain(failure: unknown): NotKept {
  if (areRightsLost(failure)) return 'signedOut'
  const isForGood = failure instanceof CallFailed && [400, 404, 413].includes(failure.status)
  return isForGood ? 'refused' : 'unreached'
}

/** The server keeps a text: of a post, of the translation of one, or of none yet. */
export function sendCopy(
  { copyId: id, savedAt: _savedAt, ...text }: KeptText,
  place: FormPlace,
  isLast = false,
): Promise<{ savedAt: string }> {
  const category = categoryNames.find((name) => name === text.category) ?? ''
  return callUnseen(keepWorkingCopy, { body: { ...text, ...placeOnServer(place), id, category } }, { isLast })
}

/** Never kept there, or out of reach: then it is offered again one day, and can be discarded then. */
export const dropCopy = (id: string): Promise<unknown> =>
  callUnseen(dropWorkingCopy, { params: { id } }).catch(() => null)

/** The name of the copy that the form writes to; empty until something is typed. */
export type Copy = { id: string; basedOn: string | null }

/** Keeps what is typed into a form: at once in this tab, a moment later on the server. */
export function useKeptText(place: FormPlace, memberId: string, start: Copy) {
  const [keeping, setKeeping] = useState<Keeping>({ state: 'nothing' })
  const copy = useRef(start)
  const [keeper] = useState(
    () =>
      new TextKeeper<KeptText>({
        send: (text, isLast) => sendCopy(text, place, isLast),
        explain,
        onChange: setKeeping,
      }),
  )
  const token = useSession().member?.token
  useEffect(() => {
    if (token) keeper.flush()
  }, [keeper, token])
  useEffect(() => {
    const flush = () => keeper.flush()
    const flushLast = () => keeper.flush(true)
    const flushHidden = () => document.visibilityState === 'hidden' && keeper.flush(true)
    addEventListener('pagehide', flushLast)
    addEventListener('online', flush)
    document.addEventListener('visibilitychange', flushHidden)
    return () => {
      removeEventListener('pagehide', flushLast)
      removeEventListener('online', flush)
      document.removeEventListener('visibilitychange', flushHidden)
      keeper.flush()
    }
  }, [keeper])

  const controls = useMemo(
    () => ({
      copy: () => copy.current,
      /** The form goes on with another copy: one that was found, or a new one. What was to be sent to the other is not. */
      adopt: (next: Copy) => {
        if (next.id !== copy.current.id) keeper.drop()
        copy.current = next
      },
      note: (text: PostText) => {
        const id = copy.current.id || newCopyId()
        copy.current = { ...copy.current, id }
        const { basedOn } = copy.current
        const kept = { ...text, copyId: id, basedOn, savedAt: new Date().toISOString() }
        keepText(place, memberId, kept)
        keeper.note(kept)
      },
      flush: () => keeper.flush(),
      stop: () => Promise.race([keeper.stop(), new Promise((resolve) => setTimeout(resolve, patience))]),
      goOn: () => keeper.goOn(),
      /** Nothing of the text stays. `isSaved` where the server has forgotten it with the saving. */
      forget: async (isSaved: boolean) => {
        keepText(place, memberId, null)
        await keeper.stop()
        if (!isSaved && copy.current.id) await dropCopy(copy.current.id)
      },
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- a form stands for one place as long as it is open
    [keeper, memberId],
  )
  return { keeping, ...controls }
}
