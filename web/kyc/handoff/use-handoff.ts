import { useEffect, useRef, useState } from 'react'
import { SECOND } from '#contract/durations.ts'
import { photosMax, getStagedKycPhoto } from '#contract/kyc.ts'
import { endHandoff, getHandoff, createHandoff, type Handoff } from '#contract/kyc-handoff.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { makeQr } from '../../make-qr.ts'
import type { Qr } from '../../ui/qr-code.tsx'
import { withoutProblems } from '../photos.ts'
import type { Photos } from '../use-photos.ts'
import { phoneAddress } from './phone-address.ts'

const every = 2 * SECOND

/** The address for the phone, known only in the tab that created the link. */
export type PhoneLink = { address: string; qr: Qr }

export type UsedHandoff = {
  /** The server's last response; null before the first one. */
  shown: Handoff | null
  link: PhoneLink | null
  /** How many photos in the form came from the phone. */
  arrived: number
  isMaking: boolean
  error: string | undefined
  make(): Promise<unknown>
  end(): Promise<unknown>
}

/** A device link for this form. Polls every two seconds for photos from the phone and adds them to the form. */
export function useHandoff(photos: Photos): UsedHandoff {
  const { language } = useMessages()
  const [link, setLink] = useState<PhoneLink | null>(null)
  const { isBusy: isMaking, error, run } = useAction()
  const { shown, poll, pollAgain } = usePhonePhotos(photos)
  const isLive = shown?.state === 'waiting' || shown?.state === 'open'
  usePollWhileVisible(isLive, poll)
  useEndOnLeave(isLive)
  return {
    shown,
    link,
    arrived: photos.list.filter(
      ({ upload }) => upload.state === 'stored' && shown?.photos.some(({ id }) => id === upload.photoId),
    ).length,
    isMaking,
    error,
    make: () =>
      run(async () => {
        const made = await call(createHandoff, {
          body: { room: photosMax - withoutProblems(photos.list).length },
        })
        const address = phoneAddress(made.link, language)
        setLink({ address, qr: await makeQr(address) })
        await pollAgain()
      }),
    end: () =>
      run(async () => {
        await call(endHandoff, { body: null })
        await pollAgain()
      }),
  }
}

/** The server's state of the link. With each poll, the form gets the photos that the phone added or removed. */
function usePhonePhotos(photos: Photos) {
  const { t } = useMessages()
  const [shown, setShown] = useState<Handoff | null>(null)
  // Photos that came from the phone, each with the ID of its device link.
  const known = useRef(new Map<string, string>())
  const polling = useRef<Promise<void> | null>(null)

  async function bring(photoId: string, handoffId: string) {
    known.current.set(photoId, handoffId)
    const name = t('kyc.handoff.photoName', { number: known.current.size })
    const picture = await call(getStagedKycPhoto, { params: { id: photoId } }).catch(() => null)
    if (picture) photos.adopt(photoId, new File([picture as Blob], name, { type: 'image/jpeg' }))
    else known.current.delete(photoId)
  }

  async function follow(handoff: Handoff) {
    const there = new Set(handoff.photos.map(({ id }) => id))
    for (const [photoId, handoffId] of known.current)
      if (handoffId === handoff.id && !there.has(photoId)) photos.forget(photoId)
    for (const { id } of handoff.photos) if (!known.current.has(id)) await bring(id, handoff.id ?? '')
    // The end of a link that this page never showed is not reported.
    setShown((before) => (before === null && handoff.state === 'ended' ? null : handoff))
  }

  /** Sends one request at a time. If it fails, the next poll tries again. */
  function poll(): Promise<void> {
    polling.current ??= call(getHandoff, {})
      .then(follow, () => {})
      .finally(() => {
        polling.current = null
      })
    return polling.current
  }

  /** Polls again after a change that was just made, because a response in flight may not include it. */
  async function pollAgain() {
    await polling.current
    await poll()
  }
  return { shown, poll, pollAgain }
}

/** Polls once, because photos from before a reload are still on the server, and then as long as the link is live. */
function usePollWhileVisible(isLive: boolean, poll: () => Promise<void>): void {
  const latest = useRef(poll)
  useEffect(() => {
    latest.current = poll
  })
  useEffect(() => void latest.current(), [])
  useEffect(() => {
    if (!isLive) return undefined
    const pollIfVisible = () => {
      if (!document.hidden) void latest.current()
    }
    const timer = setInterval(pollIfVisible, every)
    document.addEventListener('visibilitychange', pollIfVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', pollIfVisible)
    }
  }, [isLive])
}

/** Ends the link when the form is left. */
function useEndOnLeave(isLive: boolean): void {
  const isLiveNow = useRef(isLive)
  useEffect(() => {
    isLiveNow.current = isLive
  })
  useEffect(
    () => () => {
      if (isLiveNow.current) void call(endHandoff, { body: null }).catch(() => {})
    },
    [],
  )
}
