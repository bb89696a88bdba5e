import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './dropdown.module.css'

/** A native disclosure that also closes on Escape, on a click elsewhere and once something in it was chosen. */
export function Dropdown({ label, children }: { label: ReactNode; children: ReactNode }) {
  const ref = useRef<HTMLDetailsElement>(null)

  useEffect(() => {
    const closeFromOutside = ({ target }: Event) => {
      const details = ref.current
      if (details?.open && target instanceof Node && !details.contains(target)) details.open = false
    }
    document.addEventListener('pointerdown', closeFromOutside)
    document.addEventListener('focusin', closeFromOutside)
    return () => {
      document.removeEventListener('pointerdown', closeFromOutside)
      document.removeEventListener('focusin', closeFromOutside)
    }
  }, [])

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !ref.current?.open) return
    event.stopPropagation()
    ref.current.open = false
    ref.current.querySelector('summary')?.focus()
  }

  const closeOnChoice = (target: EventTarget) => {
    if (ref.current && target instanceof Element && target.closest('a, button')) ref.current.open = false
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the controls are inside; this listens to them
    <details ref={ref} className={styles.dropdown} onKeyDown={closeOnEscape}>
      <summary className={styles.summary}>
        {label}
        <svg className={styles.chevron} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 3.5 5 7l3.5-3.5" fill="none" stroke="currentColor" strokeWidth="1.3" />
        </svg>
      </summary>
      <div className={styles.panel} onClick={({ target }) => closeOnChoice(target)}>
        {children}
      </div>
    </details>
  )
}
