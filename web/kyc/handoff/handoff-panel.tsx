import { useEffect, useRef, useState } from 'react'
import { SECOND } from '#contract/platform/durations.ts'
import { createHandoff, endHandoff, getHandoff, type Handoff } from '#contract/people/kyc-handoff.ts'
import { getStagedKycPhoto, photosMax } from '#contract/people/kyc.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call } from '../../kernel/call/call.ts'
import type { KeyTaking } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { makeQr } from '../../kernel/make-qr.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { type Qr, QrCode } from '../../kernel/ui/qr-code.tsx'
import { hasRoom, withoutProblems } from '../photos.ts'
import type { Photos } from '../use-photos.ts'
import { phoneAddress } from './phone-address.ts'
import styles from './handoff-panel.module.css'

const every = 2 * SECOND

/** The address for the phone, known only in the tab that created the link. */
type PhoneLink = { address: string; qr: Qr }

type UsedHandoff = {
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
function useHandoff(photos: Photos): UsedHandoff {
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

/** The panel for continuing on a phone: a QR code, whether it was opened, and a button to end the link. */
export function HandoffPanel({ photos }: { photos: Photos }) {
  const { t } = useMessages()
  const handoff = useHandoff(photos)
  const { shown, link, arrived, error } = handoff
  const state = stateOf(handoff)
  return (
    <section className={styles.panel} data-state={state} aria-label={t('kyc.handoff.label')}>
      {state === 'waiting' && link && <Waiting link={link} until={shown?.expiresAt ?? ''} />}
      <div role="status" className={styles.said}>
        {state === 'open' && <Open openedAt={shown?.openedAt ?? ''} device={shown?.device ?? ''} />}
        {state === 'ended' && <p>{t(endWords(shown?.openedAt, arrived), { count: arrived })}</p>}
      </div>
      <div>
        <LinkButton handoff={handoff} isFull={!hasRoom(photos.list)} />
      </div>
      <div role="alert" className={styles.failure}>
        {error}
      </div>
    </section>
  )
}

/** After a reload, the code of a link that was not opened is no longer known. */
function stateOf({ shown, link }: UsedHandoff) {
  return shown && (shown.state !== 'waiting' || link) ? shown.state : 'none'
}

/** Creates a link, or ends the current one. */
function LinkButton({ handoff, isFull }: { handoff: UsedHandoff; isFull: boolean }) {
  const { t } = useMessages()
  const { isMaking, make, end } = handoff
  const state = stateOf(handoff)
  return state === 'waiting' || state === 'open' ? (
    <Button kind="quiet" busy={isMaking} onClick={() => void end()}>
      {t(state === 'open' ? 'kyc.handoff.end' : 'kyc.handoff.cancel')}
    </Button>
  ) : (
    <Button kind="quiet" busy={isMaking} disabled={isFull} onClick={() => void make()}>
      {t(state === 'ended' ? 'kyc.handoff.again' : 'kyc.handoff.begin')}
    </Button>
  )
}

function endWords(openedAt: string | null | undefined, arrived: number): KeyTaking<'count'> {
  if (!openedAt) return 'kyc.handoff.unused'
  return arrived > 0 ? 'kyc.handoff.endedWith' : 'kyc.handoff.ended'
}

function Waiting({ link: { address, qr }, until }: { link: PhoneLink; until: string }) {
  const { t, formatDateTime } = useMessages()
  return (
    <div className={styles.waiting}>
      <QrCode qr={qr} label={t('kyc.handoff.qr')} />
      <div className={styles.how}>
        <ol>
          <li>{t('kyc.handoff.step1')}</li>
          <li>{t('kyc.handoff.step2')}</li>
          <li>{t('kyc.handoff.step3')}</li>
        </ol>
        <p>{t('kyc.handoff.once', { time: formatDateTime(until) })}</p>
        <p>{t('kyc.handoff.address')}</p>
        <code>{address}</code>
      </div>
    </div>
  )
}

/** The time and device tell members whether someone else opened the link. */
function Open({ openedAt, device }: { openedAt: string; device: string }) {
  const { t, formatDateTime } = useMessages()
  const time = formatDateTime(openedAt)
  return (
    <>
      <p>
        <strong>
          {device ? t('kyc.handoff.openedOn', { time, device }) : t('kyc.handoff.opened', { time })}
        </strong>
      </p>
      <p>{t('kyc.handoff.openHelp')}</p>
    </>
  )
}
