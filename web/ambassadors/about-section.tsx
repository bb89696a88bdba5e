import { useMessages } from '../i18n/messages.tsx'
import section from '../ui/page-section.module.css'
import styles from './about-section.module.css'

export function AboutSection() {
  const { t } = useMessages()
  return (
    <section id="about" className={`${section.section} ${styles.about}`} aria-labelledby="about-heading">
      <h2 id="about-heading">{t('ambassador.about.heading')}</h2>
      <p className={styles.lead}>{t('ambassador.about.paragraph1')}</p>
      <p className={styles.first}>{t('ambassador.about.paragraph2')}</p>
      <p className={styles.second}>{t('ambassador.about.paragraph3')}</p>
    </section>
  )
}
