import { useMessages } from '../../i18n/messages.tsx'
import styles from './help-contents.module.css'

/** The sections of the page, with the number of entries in each. */
export function HelpContents({ counts }: { counts: { faq: number; technical: number; manuals: number } }) {
  const { t } = useMessages()
  return (
    <ul className={styles.contents}>
      <li>
        <a href="#faq">
          <span>{t('help.faq.heading')}</span> <span className={styles.count}>{counts.faq}</span>
        </a>
      </li>
      {counts.technical > 0 && (
        <li>
          <a href="#technical">
            <span>{t('help.technical.heading')}</span>{' '}
            <span className={styles.count}>{counts.technical}</span>
          </a>
        </li>
      )}
      {counts.manuals > 0 && (
        <li>
          <a href="#manuals">
            <span>{t('help.manuals.heading')}</span> <span className={styles.count}>{counts.manuals}</span>
          </a>
        </li>
      )}
    </ul>
  )
}
