import { useWords } from '../../../i18n/words.tsx'
import type { LateParts } from '../../../still/late-parts.ts'
import { Still } from '../../../still/still.tsx'
import { heroFiles } from '../../hero-files.ts'
import type { HeroPicture } from '../../hero-picture.tsx'
import { LateHeroFilm } from './late-hero-film.tsx'
import styles from './home-hero.module.css'
import type { HeroWords } from './hero-words.tsx'

/** What of it only shows, as the page has it. */
type Parts = LateParts<{ HeroPicture: typeof HeroPicture; HeroWords: typeof HeroWords }>

/** The picture is the largest element of the first screen; the film follows once everything else has loaded. */
export function HomeHero({ parts }: { parts: Parts }) {
  const { t } = useWords()
  return (
    <section id="hero" className={styles.hero} data-ground="dark" aria-labelledby="hero-heading">
      <div className={styles.picture}>
        <Still of={parts} part="HeroPicture" given={{ isFirst: true }} />
        <LateHeroFilm
          av1={heroFiles.av1}
          mp4={heroFiles.mp4}
          playLabel={t('home.hero.play')}
          pauseLabel={t('home.hero.pause')}
        />
      </div>
      <Still of={parts} part="HeroWords" className={styles.words} given={{}} />
    </section>
  )
}
