import { Rosette } from '../brand/rosette.tsx'
import { useMessages } from '../i18n/messages.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import styles from './news-hero.module.css'

/** A low hero, because visitors come here to read. */
export function NewsHero() {
  const { t } = useMessages()
  return (
    <PageHero
      size="low"
      heading={t('news.hero.title')}
      lead={t('news.hero.lead')}
      drawing={<Rosette figure="light" className={styles.rosette} />}
    />
  )
}
