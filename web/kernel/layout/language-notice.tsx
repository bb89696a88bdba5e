import { noticeOfGaps } from '../i18n/missing-translations.ts'
import { useLanguage } from '../i18n/messages.tsx'
import styles from './language-notice.module.css'

/** Shown at the top of each page in an incomplete language. */
export function LanguageNotice() {
  const notice = noticeOfGaps(useLanguage().messages)
  return notice && <aside className={styles.notice}>{notice}</aside>
}
