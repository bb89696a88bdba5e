import { useMessages } from '../../../kernel/i18n/messages.tsx'
import type { DeferredComponents } from '../../../kernel/still/deferred-components.ts'
import { Still } from '../../../kernel/still/still.tsx'
import { heroFiles } from '../../hero-files.ts'
import type { HeroPicture } from '../../hero-picture.tsx'
import { LateHeroFilm } from './late-hero-film.tsx'
import styles from './home-hero.module.css'
import type { HeroWords } from './hero-words.tsx'

/** The static components of the hero, as rendered in the page. */
type Parts = DeferredComponents<{ HeroPicture: typeof HeroPicture; HeroWords: typeof HeroWords }>

/** The picture is the largest element of the first screen. The film loads after everything else. */
export function HomeHero({
  parts,
  film,
  isSelling,
}: {
  parts: Parts
  film: string | null
  isSelling: boolean
}) {
  const { t } = useMessages()
  const files = film && heroFiles(film)
  return (
    <section id="hero" className={styles.hero} data-ground="dark" aria-labelledby="hero-heading">
      {files && (
        <div className={styles.picture}>
          <Still of={parts} part="HeroPicture" given={{ film, isFirst: true }} />
          <LateHeroFilm
            av1={files.av1}
            mp4={files.mp4}
            playLabel={t('home.hero.play')}
            pauseLabel={t('home.hero.pause')}
          />
        </div>
      )}
      <Still of={parts} part="HeroWords" className={styles.words} given={{ isSelling }} />
    </section>
  )
}
