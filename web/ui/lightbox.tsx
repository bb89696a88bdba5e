import { useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import styles from './lightbox.module.css'

/**
 * Shows its content over the whole screen while it is mounted. A click outside the content, the button, and Escape
 * request that it closes.
 */
export function Lightbox({
  label,
  closeLabel,
  onClose,
  children,
}: {
  label: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const stage = useRef<HTMLDivElement>(null)

  // A layout effect, because the dialog must be closed before it is removed, or the focus is lost with it.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  const closeBeside = (event: MouseEvent) => {
    if (event.target instanceof Node && !stage.current?.contains(event.target)) onClose()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does the same
    <dialog
      ref={dialog}
      className={styles.lightbox}
      data-ground="dark"
      aria-label={label}
      onClick={closeBeside}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <button type="button" className={styles.close} onClick={onClose}>
        {closeLabel}
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <path d="M1 1 13 13M13 1 1 13" fill="none" stroke="currentColor" strokeWidth="1.25" />
        </svg>
      </button>
      <div ref={stage} className={styles.stage}>
        {children}
      </div>
    </dialog>
  )
}
