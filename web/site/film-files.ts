import type { Language } from '#contract/fields.ts'
import type { Preload } from '../layout/page.ts'

const folder = '/assets/films/'

export type FilmFiles = {
  mp4: string
  av1: string
  poster: { src: string; srcSet: string }
  captions: Readonly<Record<Language, string>>
}

/** Where the files of a film lie, by the name that content gives it. */
export const filmFiles = (file: string): FilmFiles => ({
  mp4: `${folder}${file}.mp4`,
  av1: `${folder}${file}.av1.mp4`,
  poster: {
    src: `${folder}${file}.avif`,
    srcSet: `${folder}${file}-640.avif 640w, ${folder}${file}.avif 1280w`,
  },
  captions: { en: `${folder}${file}-en.vtt`, cn: `${folder}${file}-cn.vtt` },
})

export const heroFiles = {
  mp4: `${folder}hero.mp4`,
  av1: `${folder}hero.av1.mp4`,
  wide: `${folder}hero.avif`,
  narrow: `${folder}hero-narrow.avif`,
}

/** A browser takes the one whose width fits, and none where it cannot show AVIF. */
export const heroPreloads: readonly Preload[] = [
  { href: heroFiles.wide, as: 'image', type: 'image/avif', media: '(min-width: 960px)' },
  { href: heroFiles.narrow, as: 'image', type: 'image/avif', media: '(max-width: 959px)' },
]
