import { useWords } from '../i18n/words.tsx'
import styles from './or-line.module.css'

/** “or” between two alternatives. */
export function OrLine() {
  const { t } = useWords()
  return <p className={styles.or}>{t('passkey.or')}</p>
}
