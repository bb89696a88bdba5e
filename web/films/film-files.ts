import { languages, type Language } from '#contract/languages.ts'
import type { Poster } from '../ui/video.tsx'

const filmFolder = '/assets/films/'

/** The languages in which a film has subtitles, if not all of the site's. */
export type Subtitled = { subtitled?: readonly Language[] | undefined }

type FilmFiles = {
  mp4: string
  av1: string
  poster: Poster
  captions: Readonly<Record<Language, string>>
}

/** The URLs of a film's files, by its name in content. */
export const filmFiles = (file: string): FilmFiles => {
  const base = filmFolder + file
  return {
    mp4: `${base}.mp4`,
    av1: `${base}.av1.mp4`,
    poster: { jpeg: `${base}.jpg`, avif: `${base}-640.avif 640w, ${base}.avif 1280w` },
    captions: Object.fromEntries(
      languages.map((language) => [language, `${base}-${language}.vtt`]),
    ) as Record<Language, string>,
  }
}
