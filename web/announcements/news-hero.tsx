import { Rosette } from '../brand/rosette.tsx'
import { useWords } from '../i18n/words.tsx'
import styles from './news-hero.module.css'

/** A low dark band: who comes here wants to read. */
export function NewsHero() {
  const { t } = useWords()
  return (
    <section className={styles.hero} data-ground="dark">
      <Rosette figure="light" className={styles.rosette} />
      <div className={styles.words}>
        <h1>{t('news.hero.title')}</h1>
        <p>{t('news.hero.lead')}</p>
      </div>
    </section>
  )
}
