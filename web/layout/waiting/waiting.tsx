import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './waiting.module.css'

/** Shown in place of a page rendered in the browser: while it loads, and without script. */
export function Waiting() {
  const { t } = useWords()
  return (
    <div className={styles.waiting}>
      <p role="status">
        <Spinner /> {t('layout.loading')}
      </p>
      <noscript>
        <p>{t('layout.noScript')}</p>
      </noscript>
    </div>
  )
}

/** Shown in place of a page whose data failed to load. */
export function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  const { t } = useWords()
  return (
    <div className={styles.waiting}>
      <h1>{t('layout.failed.title')}</h1>
      <p>{message}</p>
      <Button kind="quiet" onClick={onRetry}>
        {t('layout.failed.retry')}
      </Button>
    </div>
  )
}
