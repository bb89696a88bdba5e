import { useEffect, useRef, type ReactNode } from 'react'
import { Message } from '../../../kernel/ui/form-status.tsx'
import styles from './case.module.css'

/**
 * Reports a failed action. It takes the focus, because the pressed button may be far down the page or may have been
 * removed.
 */
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
