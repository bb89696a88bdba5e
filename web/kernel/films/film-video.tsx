import { languages, type Language } from '#contract/platform/languages.ts'
import { htmlLanguage, languageName } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.tsx'
import { type Poster, Video } from '../ui/video.tsx'

type Film = { file: string; title: string }

const filmFolder = '/assets/films/'

/** The languages in which a film has subtitles, if not all of the site's. */
type Subtitled = { subtitled?: readonly Language[] | undefined }

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

/** A film with its poster, subtitles in every language, and labels. */
export function FilmVideo({ film, sizes }: { film: Film & Subtitled; sizes: string }) {
  const { t, language } = useMessages()
  const files = filmFiles(film.file)
  const track = (of: Language) => ({
    src: files.captions[of],
    language: htmlLanguage[of],
    label: languageName[of],
    isChosen: of === language,
  })
  return (
    <Video
      source={{ kind: 'file', src: files.mp4, address: files.mp4 }}
      av1={files.av1}
      title={film.title}
      poster={files.poster}
      sizes={sizes}
      tracks={(film.subtitled ?? languages).map(track)}
      words={{
        play: t('video.play', { title: film.title }),
        close: t('video.close'),
        retry: t('video.retry'),
        failures: {
          notEmbeddable: t('video.error.notEmbeddable'),
          notFound: t('video.error.notFound'),
          invalidAddress: t('video.error.invalidAddress'),
          failed: t('video.error.failed'),
        },
      }}
    />
  )
}
