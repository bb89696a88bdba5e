import { useCallback, useState } from 'react'
import { FilmPlayer } from './film-player.tsx'
import { Lightbox } from './lightbox.tsx'
import type { VideoSource } from './video-address.ts'
import { VideoFailed } from './video-failed.tsx'
import type { VideoTrack, VideoWords } from './video.tsx'
import styles from './video.module.css'
import type { VideoFailure } from './youtube-messages.ts'
import { YoutubePlayer } from './youtube-player.tsx'

export type StageProps = {
  source: VideoSource
  av1: string | undefined
  title: string
  poster: string | undefined
  tracks: readonly VideoTrack[]
  words: VideoWords
  /** Set if the video fills the screen. Otherwise it plays inline. */
  onClose: (() => void) | undefined
}

/** Plays a video immediately, or shows an error. */
export function VideoStage({ onClose, ...video }: StageProps) {
  const player = <Player {...video} />
  if (!onClose) return player
  return (
    <Lightbox label={video.title} closeLabel={video.words.close} onClose={onClose}>
      <div className={styles.frame}>{player}</div>
    </Lightbox>
  )
}

function Player({ source, words, ...film }: Omit<StageProps, 'onClose'>) {
  const [failure, setFailure] = useState<VideoFailure | null>(null)
  // Player and message replace each other, so the focus moves from one to the other.
  const [takesFocus, setTakesFocus] = useState(false)
  const fail = useCallback((kind: VideoFailure, hadFocus: boolean) => {
    setFailure(kind)
    setTakesFocus(hadFocus)
  }, [])
  if (failure) {
    const retry = () => {
      setFailure(null)
      setTakesFocus(true)
    }
    return (
      <VideoFailed
        kind={failure}
        address={source.address}
        words={words}
        takesFocus={takesFocus}
        onRetry={failure === 'failed' ? retry : undefined}
      />
    )
  }
  return source.kind === 'youtube' ? (
    <YoutubePlayer id={source.id} title={film.title} takesFocus={takesFocus} onFailure={fail} />
  ) : (
    <FilmPlayer src={source.src} {...film} onFailure={() => void findFailure(source.src).then(setFailure)} />
  )
}

/**
 * A player does not say why a file failed. This function finds out, because a retry cannot bring back a missing file.
 */
async function findFailure(src: string): Promise<VideoFailure> {
  try {
    const { status } = await fetch(src, { method: 'HEAD' })
    return status === 404 || status === 410 ? 'notFound' : 'failed'
  } catch {
    return 'failed'
  }
}
