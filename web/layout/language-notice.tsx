import { noticeOfGaps } from '../i18n/missing-translations.ts'
import { useSpoken } from '../i18n/words.tsx'
import styles from './language-notice.module.css'

/** Shown at the top of each page in an incomplete language. */
export function LanguageNotice() {
  const notice = noticeOfGaps(useSpoken().messages)
  return notice && <aside className={styles.notice}>{notice}</aside>
}
