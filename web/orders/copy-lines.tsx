import { useState, type ReactNode } from 'react'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { TextButton } from '../kernel/ui/button.tsx'
import { copyText } from '../kernel/ui/copy-text.ts'
import styles from './copy-lines.module.css'

type Copied = { name: string; isDone: boolean }

export type Copying = {
  copy: (name: string, text: string) => void
  /** The result of the last copy action, for a line with the role `status`. */
  said: string
}

export function useCopying(): Copying {
  const { t } = useMessages()
  const [copied, setCopied] = useState<Copied>()
  return {
    copy: (name, text) => void copyText(text).then((isDone) => setCopied({ name, isDone })),
    said: copied
      ? t(copied.isDone ? 'orders.pay.copied' : 'orders.pay.copyFailed', { name: copied.name })
      : '',
  }
}

type CopyLine = { name: string; text: string; shown: ReactNode }

/** Values that a payer must enter exactly, each with a copy button. */
export function CopyLines({ lines, copy }: { lines: readonly CopyLine[]; copy: Copying['copy'] }) {
  const { t } = useMessages()
  return (
    <dl className={styles.lines}>
      {lines.map(({ name, text, shown }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className={styles.value}>{shown}</span>
            <TextButton
              className={styles.copy}
              aria-label={t('orders.pay.copyNamed', { name })}
              onClick={() => copy(name, text)}
            >
              {t('orders.pay.copy')}
            </TextButton>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const endLength = 6

/** Emphasizes the first and last characters, which people compare. */
export function Ends({ text }: { text: string }) {
  if (text.length <= 2 * endLength) return text
  return (
    <>
      <strong>{text.slice(0, endLength)}</strong>
      {text.slice(endLength, -endLength)}
      <strong>{text.slice(-endLength)}</strong>
    </>
  )
}
