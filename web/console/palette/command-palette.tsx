import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { onView } from '../../kernel/navigation/view.ts'
import styles from './command-palette.module.css'

const Search = lazy(() => import('./search.tsx'))

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Ctrl+K or ⌘K opens any screen, member, order, case, or post that the levels allow. */
export function CommandPalette() {
  const { t } = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [shortcut, setShortcut] = useState('Ctrl K')
  useEffect(() => setShortcut(isMac() ? '⌘ K' : 'Ctrl K'), [])
  useEffect(() => {
    const open = (event: globalThis.KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      event.preventDefault()
      setOpen((before) => !before)
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])
  useEffect(() => onView(() => setOpen(false)), [])
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal()
    if (!isOpen && dialog.current?.open) dialog.current.close()
  }, [isOpen])
  return (
    <>
      <button
        type="button"
        className={styles.opener}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path
            d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9m3.3 7.8 3.4 3.4"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.4"
          />
        </svg>
        <span className={styles.openerText}>{t('console.palette.open')}</span>
        <kbd className={styles.keys}>{shortcut}</kbd>
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does the same */}
      <dialog
        ref={dialog}
        className={styles.dialog}
        aria-label={t('console.palette.label')}
        onClose={() => setOpen(false)}
        onClick={(event) => {
          if (event.target === event.currentTarget) setOpen(false)
        }}
      >
        {isOpen && (
          <Suspense>
            <Search onLeave={() => setOpen(false)} />
          </Suspense>
        )}
      </dialog>
    </>
  )
}
