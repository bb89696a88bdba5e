import { useMessages } from '../i18n/messages.tsx'
import styles from './or-line.module.css'

/** “or” between two alternatives. */
export function OrLine() {
  const { t } = useMessages()
  return <p className={styles.or}>{t('passkey.or')}</p>
}
