import { useMessages } from '../../i18n/messages.tsx'
import button from '../../ui/button.module.css'
import styles from './waiting.module.css'

/**
 * Shown in place of a page whose data failed to load. It is part of every program's first script, because the
 * connection may have failed; so it only has the look of a button, without the full component.
 */
export function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  const { t } = useMessages()
  return (
    <div className={styles.waiting}>
      <h1>{t('layout.failed.title')}</h1>
      <p>{message}</p>
      <button type="button" className={`${button.button} ${button.quiet}`} onClick={onRetry}>
        <span>{t('layout.failed.retry')}</span>
      </button>
    </div>
  )
}
