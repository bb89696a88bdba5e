import { noticeOfGaps } from '../i18n/gaps.ts'
import { useSpoken } from '../i18n/words.tsx'
import styles from './language-notice.module.css'

/** At the top of each page in a language that lacks something. */
export function LanguageNotice() {
  const notice = noticeOfGaps(useSpoken().messages)
  return notice && <aside className={styles.notice}>{notice}</aside>
}
