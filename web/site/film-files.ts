import type { Language } from '#contract/fields.ts'
import type { Preload } from '../layout/page.ts'
import type { Poster } from '../ui/video.tsx'

const folder = '/assets/films/'

export type FilmFiles = {
  mp4: string
  av1: string
  poster: Poster
  captions: Readonly<Record<Language, string>>
}

/** Where the files of a film lie, by the name that content gives it. */
export const filmFiles = (file: string): FilmFiles => {
  const base = folder + file
  return {
    mp4: `${base}.mp4`,
    av1: `${base}.av1.mp4`,
    poster: { jpeg: `${base}.jpg`, avif: `${base}-640.avif 640w, ${base}.avif 1280w` },
    captions: { en: `${base}.en.vtt`, cn: `${base}.cn.vtt` },
  }
}

const heroBase = `${folder}hero`

export const heroFiles = {
  mp4: `${heroBase}.mp4`,
  av1: `${heroBase}.av1.mp4`,
  wide: { jpeg: `${heroBase}.jpg`, avif: `${heroBase}.avif` },
  narrow: { jpeg: `${heroBase}-narrow.jpg`, avif: `${heroBase}-narrow.avif` },
}

/** Up to which width the narrow picture is shown; beyond it the film may play. */
export const narrowHero = '(max-width: 959px)'

/** A browser takes the one whose width fits, and none where it cannot show AVIF. */
export const heroPreloads: readonly Preload[] = [
  { href: heroFiles.narrow.avif, as: 'image', type: 'image/avif', media: narrowHero },
  { href: heroFiles.wide.avif, as: 'image', type: 'image/avif', media: '(min-width: 960px)' },
]
