import { useEffect, useId, useRef, useState } from 'react'
import { SECOND } from '#contract/durations.ts'
import { useWords } from '../i18n/words.tsx'
import { dismissNotice, notices, type Notice } from '../notices/notices.ts'
import { useStore } from '../state/create-store.ts'
import type { Ground } from './ground.ts'
import styles from './notices.module.css'

const shownFor = 9 * SECOND
const offeredFor = 60 * SECOND

export function Notices({ ground }: { ground: Ground }) {
  const { t } = useWords()
  return (
    <section className={styles.notices} aria-label={t('layout.notices.label')} aria-live="polite">
      {useStore(notices).map((notice) => (
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
    const timer = setTimeout(() => dismissNotice(id), passesAfter)
    return () => clearTimeout(timer)
  }, [id, isHeld, passesAfter])
  const textId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const takesFocus = action?.isOffer === true
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true })
  }, [takesFocus])
  // The button is removed with the focus, so the focus moves to the start of the page.
  const answer = () => {
    dismissNotice(id)
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
