import { useWords } from '../i18n/words.tsx'
import styles from './or-line.module.css'

/** “or” between two ways of doing the same. */
export function OrLine() {
  const { t } = useWords()
  return <p className={styles.or}>{t('passkey.or')}</p>
}
