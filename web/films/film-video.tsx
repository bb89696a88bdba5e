import { languages, type Language } from '#contract/languages.ts'
import { htmlLanguage, languageName } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Video } from '../ui/video.tsx'
import { filmFiles, type Subtitled } from './film-files.ts'

type Film = { file: string; title: string }

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
