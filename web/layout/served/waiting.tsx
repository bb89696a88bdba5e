import { useWords } from '../../i18n/words.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from '../waiting/waiting.module.css'

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
