import { useEffect, useRef } from 'react'
import { Message } from '../ui/form-status.tsx'
import styles from './conflict-notice.module.css'

/** Explains that someone else saved first. It receives the focus, because the form that had it has disappeared. */
export function ConflictNotice({ heading, text }: { heading: string; text: string }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    notice.current?.focus({ preventScroll: true })
    notice.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={notice} tabIndex={-1} className={styles.notice}>
      <Message kind="note" role="alert">
        <p>
          <strong>{heading}</strong>
        </p>
        <p>{text}</p>
      </Message>
    </div>
  )
}
