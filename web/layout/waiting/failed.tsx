import { useWords } from '../../i18n/words.tsx'
import button from '../../ui/button.module.css'
import styles from './waiting.module.css'

/**
 * Shown in place of a page whose data failed to load. Every program begins with it, since what fails may be the
 * connection; so it takes the looks of a button, and not all that buttons can do.
 */
export function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  const { t } = useWords()
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
