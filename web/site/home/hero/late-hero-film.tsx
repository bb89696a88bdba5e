import { useEffect, useState, type ComponentProps } from 'react'
import { narrowHero } from '../../hero-files.ts'
import type { HeroFilm } from './hero-film.tsx'

/** The film's script loads last, and only if the window is or becomes wide enough for it. */
export function LateHeroFilm(film: ComponentProps<typeof HeroFilm>) {
  const [Film, setFilm] = useState<typeof HeroFilm>()
  useEffect(() => {
    const narrow = matchMedia(narrowHero)
    const ask = () => {
      if (!narrow.matches)
        import('./hero-film.tsx').then(
          ({ HeroFilm }) => setFilm(() => HeroFilm),
          () => {
            // If it cannot be loaded, the picture stays.
          },
        )
    }
    narrow.addEventListener('change', ask)
    if (document.readyState === 'complete') ask()
    else addEventListener('load', ask, { once: true })
    return () => {
      narrow.removeEventListener('change', ask)
      removeEventListener('load', ask)
    }
  }, [])
  return Film && <Film {...film} />
}
