import { useEffect, useRef } from 'react'
import { MoreMessages } from '../kernel/content/more-messages.tsx'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { parseVideoAddress } from '../kernel/ui/video-address.ts'
import { VideoStage } from '../kernel/ui/video-stage.tsx'

/** The player of a film in a post, shown after a reader has clicked the film. */
export const PostFilm = (props: FilmProps) => (
  <MoreMessages namespaces={['video']}>
    <Film {...props} />
  </MoreMessages>
)

export type FilmProps = { address: string; title: string }

function Film({ address, title }: FilmProps) {
  const { t } = useMessages()
  const place = useRef<HTMLSpanElement>(null)
  // The player replaces the link that had the focus.
  useEffect(() => place.current?.querySelector('iframe')?.focus(), [])
  const source = parseVideoAddress(address)
  return (
    source && (
      <span ref={place}>
        <VideoStage
          source={source}
          av1={undefined}
          title={title || t('news.film.untitled')}
          poster={undefined}
          tracks={[]}
          words={{
            play: t('news.film.untitled'),
            close: t('video.close'),
            retry: t('video.retry'),
            failures: {
              notEmbeddable: t('video.error.notEmbeddable'),
              notFound: t('video.error.notFound'),
              invalidAddress: t('video.error.invalidAddress'),
              failed: t('video.error.failed'),
            },
          }}
          onClose={undefined}
        />
      </span>
    )
  )
}
