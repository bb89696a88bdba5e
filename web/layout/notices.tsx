import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { SECOND } from '#contract/durations.ts'
import { useWords } from '../i18n/words.tsx'
import type { Ground } from './ground.ts'
import styles from './notices.module.css'

type Kind = 'info' | 'success' | 'error'
type Notice = { id: number; text: string; kind: Kind; action?: Action }
/** `isOffer` where the answer can also be given elsewhere: the notice then goes by itself, and takes the focus meanwhile. */
type Action = { label: string; run: () => void; lang?: string; isOffer?: boolean }

const shownFor = 9 * SECOND
const offeredFor = 60 * SECOND
const none: readonly Notice[] = []
let notices = none
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/**
 * Shows a short text in the corner and has it read out. Errors and questions stay until they are dismissed, by the
 * reader or by the function that this returns.
 */
export function showNotice(text: string, kind: Kind = 'info', action?: Action): () => void {
  lastId += 1
  const notice: Notice = { id: lastId, text, kind, ...(action ? { action } : {}) }
  change([...notices.filter((each) => each.text !== text), notice])
  return () => dismiss(notice.id)
}

/** What was said about one page is not for the next. Questions wait for their answer. */
export const clearNotices = (): void => change(notices.filter((notice) => notice.action))

const dismiss = (id: number): void => change(notices.filter((notice) => notice.id !== id))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const shown = { show: showNotice }
export const useNotices = (): { show: (text: string, kind?: Kind) => void } => shown

export function Notices({ ground }: { ground: Ground }) {
  const { t } = useWords()
  const list = useSyncExternalStore(
    subscribe,
    () => notices,
    () => none,
  )
  return (
    <section className={styles.notices} aria-label={t('layout.notices.label')} aria-live="polite">
      {list.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} ground={ground} />
      ))}
    </section>
  )
}

function NoticeCard({ notice, ground }: { notice: Notice; ground: Ground }) {
  const { t } = useWords()
  const { id, kind, text, action } = notice
  const [isHeld, setHeld] = useState(false)
  const passesAfter = action ? (action.isOffer ? offeredFor : null) : kind === 'error' ? null : shownFor
  useEffect(() => {
    if (isHeld || passesAfter === null) return undefined
    const timer = setTimeout(() => dismiss(id), passesAfter)
    return () => clearTimeout(timer)
  }, [id, isHeld, passesAfter])
  const textId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const takesFocus = action?.isOffer === true
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true })
  }, [takesFocus])
  // The button goes, and the focus with it: reading goes on where the page begins.
  const answer = () => {
    dismiss(id)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <div
      className={styles.notice}
      data-kind={kind}
      data-ground={ground}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p id={textId} lang={action?.lang}>
        {text}
      </p>
      {action && (
        <button
          ref={button}
          type="button"
          className={styles.action}
          aria-describedby={textId}
          lang={action.lang}
          onClick={() => {
            answer()
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={styles.dismiss} onClick={answer}>
        {t('layout.notices.dismiss')}
      </button>
    </div>
  )
}
