import { Rosette } from '../brand/rosette.tsx'
import { useWords } from '../i18n/words.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import styles from './news-hero.module.css'

/** A low hero, because visitors come here to read. */
export function NewsHero() {
  const { t } = useWords()
  return (
    <PageHero
      size="low"
      heading={t('news.hero.title')}
      lead={t('news.hero.lead')}
      drawing={<Rosette figure="light" className={styles.rosette} />}
    />
  )
}
