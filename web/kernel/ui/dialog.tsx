import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import styles from './dialog.module.css'
import { keepReferences } from './keep-references.tsx'

/** The native modal dialog. Escape and a click outside request that it closes; the focus returns to where it was. */
export function Dialog({
  isOpen,
  onClose,
  title,
  children,
  actions,
}: {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  actions: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleRef = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    if (isOpen && dialog && !dialog.open) {
      dialog.showModal()
      keepTitleInView(dialog, titleRef.current)
    }
    if (!isOpen && dialog?.open) dialog.close()
  }, [isOpen])
  // The focus returns even if the dialog is unmounted while it is open.
  useLayoutEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does the same
    <dialog
      ref={ref}
      className={styles.dialog}
      // Without a label, a name with a reference would get spaces around it.
      {...(typeof title === 'string' ? { 'aria-label': title } : { 'aria-labelledby': titleId })}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        // Only a click on the backdrop has the dialog as its target, because the content is in the inner box.
        if (event.target === event.currentTarget) onClose()
      }}
    >
      {isOpen && (
        <div className={styles.inner}>
          <h2 ref={titleRef} className={styles.title} id={titleId}>
            {keepReferences(title)}
          </h2>
          <div className={styles.body}>{children}</div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
    </dialog>
  )
}

/** The browser focuses the first field. If that scrolled the title out of view, the title gets the focus instead. */
function keepTitleInView(dialog: HTMLDialogElement, title: HTMLElement | null): void {
  if (dialog.scrollTop === 0) return
  // Set only here, because a focusable title would get the focus in every dialog.
  title?.setAttribute('tabindex', '-1')
  title?.focus()
  dialog.scrollTop = 0
}
