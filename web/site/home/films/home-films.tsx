import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { FilmVideo } from '../../../kernel/films/film-video.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import styles from './home-films.module.css'

type Film = HomeFacts['films'][number]

/** The first film is large, the next two are in a column next to it, and any others are in rows below. */
export function HomeFilms({ films }: { films: readonly Film[] }) {
  const { t } = useMessages()
  const [first, ...others] = films
  const [beside, below] = [others.slice(0, 2), others.slice(2)]
  return (
    <HomeSection
      id="films"
      ground="dark"
      heading={t('home.films.heading')}
      intro={t('home.films.intro')}
      className={styles.section}
      headClass={styles.head}
    >
      {first && <Film film={first} className={styles.first} sizes={sizesOfFirst} />}
      {[
        { place: styles.beside, films: beside },
        { place: styles.below, films: below },
      ].map(
        ({ place, films }) =>
          films.length > 0 && (
            <div key={place} className={`${styles.others} ${place}`}>
              {films.map((film) => (
                <Film key={film.id} film={film} sizes={sizesOfOthers} />
              ))}
            </div>
          ),
      )}
    </HomeSection>
  )
}

function Film({
  film,
  className = '',
  sizes,
}: {
  film: Film
  className?: string | undefined
  sizes: string
}) {
  const { t } = useMessages()
  return (
    <figure className={`${styles.film} ${className}`}>
      <FilmVideo film={film} sizes={sizes} />
      <figcaption>
        <h3>{film.title}</h3>
        <p>
          {film.description}{' '}
          <span className={styles.length}>{t('video.length', { seconds: film.seconds })}</span>
        </p>
      </figcaption>
    </figure>
  )
}

const sizesOfFirst = '(min-width: 1240px) 815px, (min-width: 960px) 62vw, 90vw'
const sizesOfOthers = '(min-width: 1240px) 397px, (min-width: 960px) 30vw, (min-width: 600px) 44vw, 90vw'
