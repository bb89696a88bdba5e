import type { ReactNode } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import { copyText } from '../../kernel/ui/copy-text.ts'
import styles from './detail.module.css'

/** A value that staff often need elsewhere, with a button that copies it. */
export function CopyValue({ name, text, children }: { name: string; text: string; children?: ReactNode }) {
  const { t } = useMessages()
  const copy = async () => {
    if (await copyText(text)) showNotice(t('console.copy.done', { name }))
    else showNotice(t('console.copy.failed'), 'error')
  }
  return (
    <span className={styles.copied}>
      {children ?? text}
      <TextButton aria-label={t('console.copy.named', { name })} onClick={() => void copy()}>
        {t('console.copy')}
      </TextButton>
    </span>
  )
}
