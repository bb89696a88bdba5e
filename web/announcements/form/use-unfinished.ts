import { useEffect, useRef, useState } from 'react'
import { getWorkingCopy, listWorkingCopies, type WorkingCopy } from '#contract/newsroom.ts'
import { call, callUnseen } from '../../call/call.ts'
import { keepText, placeOnServer, readKeptText, type FormPlace, type KeptText } from './kept-text.ts'
import { dropCopy, sendCopy } from './use-kept-text.ts'

/** A text that could be gone on with, as it is offered. */
export type Unfinished = Pick<KeptText, 'copyId' | 'title' | 'savedAt'>

const asideOf = (place: FormPlace): FormPlace | null =>
  place.kind === 'post' ? { kind: 'aside', postId: place.postId } : null

const isFor = (place: FormPlace, copy: WorkingCopy): boolean => {
  const { postId, translationOf } = placeOnServer(place)
  return copy.postId === postId && copy.translationOf === translationOf
}

async function readCopy(copyId: string, ask: typeof call): Promise<KeptText> {
  const copy = await ask(getWorkingCopy, { params: { id: copyId } })
  const { title, category, language, content, basedOn, savedAt } = copy
  return { title, category, language, content, copyId, basedOn, savedAt }
}

/**
 * Texts for the same place that the editor once typed and never saved, here or in another browser, the newest first.
 * `onFound` is told of the one that was `chosen` before the form opened, and of the one that the server has of a post,
 * for the form to go on with. Others are offered.
 */
export function useUnfinished(
  place: FormPlace,
  memberId: string,
  {
    chosen,
    ownCopyId,
    onFound,
  }: {
    chosen: string | undefined
    ownCopyId: () => string
    onFound: (text: KeptText, isChosen: boolean) => boolean
  },
) {
  const aside = asideOf(place)
  /** Texts that gave way to another one here. */
  const whole = useRef(new Map<string, KeptText>())
  const [list, setList] = useState<Unfinished[]>(() => {
    const kept = aside && readKeptText(aside, memberId)
    return kept ? [kept] : []
  })
  const found = useRef(onFound)
  useEffect(() => {
    let isCurrent = true
    async function find() {
      const copies = await callUnseen(listWorkingCopies, {})
      const kept = copies.filter(({ id }) => id !== ownCopyId())
      const others = kept.filter((copy) => isFor(place, copy))
      const wanted = kept.find(({ id }) => id === chosen) ?? (place.kind === 'post' ? others[0] : undefined)
      const text = wanted && (await readCopy(wanted.id, callUnseen))
      if (!isCurrent) return
      if (place.kind !== 'post')
        setList(others.map(({ id, title, savedAt }) => ({ copyId: id, title, savedAt })))
      if (text && !found.current(text, text.copyId === chosen)) setAside(text)
    }
    // What is on the server and out of reach is offered the next time.
    void find().catch(() => null)
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, when the form opens
  }, [])

  const without = (copyId: string) => {
    if (aside && readKeptText(aside, memberId)?.copyId === copyId) keepText(aside, memberId, null)
    setList((before) => before.filter((each) => each.copyId !== copyId))
  }
  /** A text that gives way to another one in the form stays at hand; on the server it is no longer the post's only one. */
  function setAside(text: KeptText) {
    if (aside) keepText(aside, memberId, text)
    whole.current.set(text.copyId, text)
    void sendCopy(text, aside ? { kind: 'new' } : place).catch(() => null)
    setList((before) => [text, ...before.filter(({ copyId }) => copyId !== text.copyId)])
  }
  return {
    list,
    setAside,
    read: async (copyId: string): Promise<KeptText> => {
      const kept = aside && readKeptText(aside, memberId)
      if (kept?.copyId === copyId) return kept
      return whole.current.get(copyId) ?? readCopy(copyId, call)
    },
    /** The form has gone on with it. */
    taken: without,
    discard: (copyId: string) => {
      without(copyId)
      void dropCopy(copyId)
    },
  }
}
