import { useMessages } from '../i18n/messages.tsx'
import { FilmVideo } from '../films/film-video.tsx'
import section from '../ui/page-section.module.css'
import type { AmbassadorFacts } from './ambassador-facts.ts'
import styles from './promo-section.module.css'

export function PromoSection({ film }: { film: NonNullable<AmbassadorFacts['film']> }) {
  const { t } = useMessages()
  return (
    <section
      id="film"
      className={`${section.section} ${styles.promo}`}
      aria-labelledby="film-heading"
      data-ground="dark"
    >
      <div className={styles.words}>
        <h2 id="film-heading">{t('ambassador.promo.heading')}</h2>
        <p>{film.description}</p>
        <p className={styles.length}>{t('ambassador.promo.intro', { seconds: film.seconds })}</p>
      </div>
      <div className={styles.film}>
        <FilmVideo film={film} sizes="(min-width: 60rem) 66vw, 100vw" />
      </div>
    </section>
  )
}
