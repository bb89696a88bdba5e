import { useWords } from '../../../i18n/words.tsx'
import { FilmVideo } from '../../film-video.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import styles from './home-films.module.css'

export function HomeFilms({ films }: { films: HomeFacts['films'] }) {
  const { t } = useWords()
  return (
    <HomeSection
      id="films"
      ground="dark"
      heading={t('home.films.heading')}
      intro={t('home.films.intro')}
      className={styles.section}
    >
      {films.map((film, index) => (
        <figure key={film.id} className={styles.film}>
          <FilmVideo film={film} sizes={index === 0 ? sizesOfFirst : sizesOfOthers} />
          <figcaption>
            <h3>{film.title}</h3>
            <p>{film.description}</p>
            <p className={styles.length}>{t('video.length', { seconds: film.seconds })}</p>
          </figcaption>
        </figure>
      ))}
    </HomeSection>
  )
}

const sizesOfFirst = '(min-width: 1240px) 815px, (min-width: 960px) 62vw, 90vw'
const sizesOfOthers = '(min-width: 1240px) 397px, (min-width: 960px) 30vw, (min-width: 600px) 44vw, 90vw'
