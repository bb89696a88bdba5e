import { useEffect, useRef, type ReactNode } from 'react'
import { Message } from '../../../ui/form-status.tsx'
import styles from './case.module.css'

/** What went otherwise than wanted. It takes the focus: what was pressed may be far down the page, or gone. */
export function Attention({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus()
  }, [])
  return (
    <div ref={box} className={styles.attention} tabIndex={-1}>
      <Message kind="bad" role="alert">
        {children}
      </Message>
    </div>
  )
}
