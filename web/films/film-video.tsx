import type { Language } from '#contract/fields.ts'
import { htmlLanguage } from '../i18n/language.ts'
import { useWords } from '../i18n/words.tsx'
import { Video } from '../ui/video.tsx'
import { filmFiles } from './film-files.ts'

/** One of our films, with its poster, subtitles in both languages and its labels. */
export function FilmVideo({ film, sizes }: { film: { file: string; title: string }; sizes: string }) {
  const { t, language } = useWords()
  const files = filmFiles(film.file)
  const track = (of: Language, label: string) => ({
    src: files.captions[of],
    language: htmlLanguage[of],
    label,
    isChosen: of === language,
  })
  return (
    <Video
      address={files.mp4}
      av1={files.av1}
      title={film.title}
      poster={files.poster}
      sizes={sizes}
      tracks={[track('en', t('layout.language.en')), track('cn', t('layout.language.cn'))]}
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
