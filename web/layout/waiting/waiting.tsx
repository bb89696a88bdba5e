import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './waiting.module.css'

/** In place of a page that needs the browser: while it comes, and for those who have no script. */
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

/** In place of a page whose data could not be had. */
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
