import type { ReactNode } from 'react'
import styles from './form-status.module.css'

/**
 * Shown below the button: what is still missing, and what went wrong. Both lines are always rendered, so that their
 * text is announced when it appears. `id` belongs to the line of missing fields, which describes the button.
 */
export function FormStatus({
  id,
  missing,
  isMissingSilent = false,
  error,
  centred = false,
}: {
  id?: string
  missing?: ReactNode
  /** Whether the missing fields are not displayed yet and only describe the button. */
  isMissingSilent?: boolean
  error?: ReactNode
  centred?: boolean
}) {
  return (
    <div className={centred ? `${styles.status} ${styles.centred}` : styles.status}>
      <div className={styles.error} role="alert">
        {error}
      </div>
      <p className={isMissingSilent ? styles.silent : styles.missing} id={id} aria-live="polite">
        {missing}
      </p>
    </div>
  )
}

/** A message in the page: a success, a note, or a failure. */
export function Message({
  kind,
  role,
  children,
}: {
  kind: 'good' | 'note' | 'bad'
  role?: 'status' | 'alert'
  children: ReactNode
}) {
  return (
    <div className={`${styles.message} ${styles[kind]}`} role={role}>
      {children}
    </div>
  )
}
