import { useWords } from '../../../i18n/words.tsx'
import { pathTo } from '../../../routes/routes.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { heroFiles } from '../../hero-files.ts'
import { HeroPicture } from '../../hero-picture.tsx'
import { HeroFilm } from './hero-film.tsx'
import styles from './home-hero.module.css'

/** The picture is the largest element of the first screen; the film follows once everything else has loaded. */
export function HomeHero() {
  const { t } = useWords()
  return (
    <section id="hero" className={styles.hero} data-ground="dark" aria-labelledby="hero-heading">
      <div className={styles.picture}>
        <HeroPicture isFirst />
        <HeroFilm
          av1={heroFiles.av1}
          mp4={heroFiles.mp4}
          playLabel={t('home.hero.play')}
          pauseLabel={t('home.hero.pause')}
        />
      </div>
      <div className={styles.words}>
        <h1 id="hero-heading">{t('home.hero.title')}</h1>
        <p>{t('home.hero.lead')}</p>
        <div className={styles.ways}>
          <ButtonLink href="#wallet">{t('home.hero.wallet')}</ButtonLink>
          <ButtonLink kind="quiet" href={pathTo('project')}>
            {t('home.hero.project')}
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
