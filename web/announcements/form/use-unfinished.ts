import { useEffect, useRef, useState } from 'react'
import { listWorkingCopies } from '#contract/newsroom.ts'
import { callUnseen } from '../../call.ts'
import { keepText, readKeptText, type FormPlace, type KeptText } from './kept-text.ts'
import { dropCopy, sendCopy } from './use-kept-text.ts'

const asideOf = (place: FormPlace): FormPlace | null =>
  place.kind === 'post' ? { kind: 'aside', postId: place.postId } : null

/**
 * Texts for the same place that the editor once typed and never saved, here or in another browser, the newest first.
 * The server has one of each post: `onFound` is told of it, for the form to go on with. Others are offered.
 */
export function useUnfinished(
  place: FormPlace,
  memberId: string,
  ownCopyId: () => string,
  onFound: (text: KeptText) => boolean,
) {
  const aside = asideOf(place)
  const [list, setList] = useState<KeptText[]>(() => {
    const kept = aside && readKeptText(aside, memberId)
    return kept ? [kept] : []
  })
  const postId = place.kind === 'post' ? place.postId : null
  const found = useRef(onFound)
  useEffect(() => {
    let isCurrent = true
    callUnseen(listWorkingCopies, {}).then(
      (copies) => {
        if (!isCurrent) return
        const texts = copies
          .filter((copy) => copy.postId === postId && copy.id !== ownCopyId())
          .map(({ id, postId: _postId, ...text }) => ({ ...text, copyId: id }))
        const [newest] = texts
        if (postId === null) setList(texts)
        else if (newest && !found.current(newest)) setAside(newest)
      },
      () => {
        // What is on the server is offered the next time.
      },
    )
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- asked once, when the form opens
  }, [postId])

  const without = (copyId: string) => {
    if (aside && readKeptText(aside, memberId)?.copyId === copyId) keepText(aside, memberId, null)
    setList((before) => before.filter((each) => each.copyId !== copyId))
  }
  /** A text that gives way to another one in the form stays at hand; on the server it is no longer the post's only one. */
  function setAside(text: KeptText) {
    if (aside) keepText(aside, memberId, text)
    void sendCopy(text, null).catch(() => null)
    setList((before) => [text, ...before.filter(({ copyId }) => copyId !== text.copyId)])
  }
  return {
    list,
    setAside,
    /** The form has gone on with it. */
    taken: without,
    discard: (copyId: string) => {
      without(copyId)
      void dropCopy(copyId)
    },
  }
}
