import { useEffect, useRef, type ReactNode } from 'react'
import styles from './dropdown.module.css'

/** A native disclosure that also closes on Escape, on a click elsewhere, and after a choice. */
export function Dropdown({ label, children }: { label: ReactNode; children: ReactNode }) {
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => (ref.current ? closeInTime(ref.current) : undefined), [])
  return (
    <details ref={ref} className={styles.dropdown}>
      <summary className={styles.summary}>
        {label}
        <svg className={styles.chevron} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 3.5 5 7l3.5-3.5" fill="none" stroke="currentColor" strokeWidth="1.3" />
        </svg>
      </summary>
      <div className={styles.panel}>{children}</div>
    </details>
  )
}

function closeInTime(details: HTMLDetailsElement): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const summary = details.querySelector('summary')
  const isWithin = (target: EventTarget | null) => target instanceof Node && details.contains(target)
  const closeFromOutside = ({ target }: Event) => {
    if (!isWithin(target)) details.open = false
  }
  document.addEventListener('pointerdown', closeFromOutside, { signal })
  document.addEventListener('focusin', closeFromOutside, { signal })
  details.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('a, button')) details.open = false
    },
    { signal },
  )
  details.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !details.open) return
      event.stopPropagation()
      details.open = false
      summary?.focus()
    },
    { signal },
  )
  return () => listening.abort()
}
