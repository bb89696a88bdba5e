import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { Lightbox } from './lightbox.tsx'
import { parseVideoAddress } from './video-address.ts'
import { VideoFailed, type FailureWords } from './video-failed.tsx'
import { VideoPlayer, type VideoTrack } from './video-player.tsx'
import styles from './video.module.css'

/** From this width on a video opens over the whole screen; below it plays where it stands. */
export const lightboxWidthMin = 840

export type VideoWords = FailureWords & {
  /** Names the link on the poster, such as Play “How a block is made”. */
  play: string
  close: string
}

/** A 16:9 still: one JPEG of 1280 pixels for all, and AVIFs by width, as in `srcset`, for those who can show them. */
export type Poster = { jpeg: string; avif?: string }

/**
 * A poster that becomes a player when it is clicked: nothing of the video is requested before. Without script it is
 * a link to the video. `address` is a film file of this site or a video on YouTube (see `parseVideoAddress`).
 */
export function Video({
  address,
  av1,
  title,
  poster,
  tracks = [],
  sizes,
  words,
}: {
  address: string
  /** The same film in AV1, for browsers that play it. */
  av1?: string | undefined
  title: string
  /** Without one the frame stays dark. */
  poster?: Poster | undefined
  tracks?: readonly VideoTrack[]
  /** How wide the poster is, as in the `sizes` of a picture. */
  sizes?: string | undefined
  words: VideoWords
}) {
  const [mode, setMode] = useState<'poster' | 'inline' | 'lightbox'>('poster')
  const link = useRef<HTMLAnchorElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const source = parseVideoAddress(address)

  // The link is gone once the player stands in its place, and the focus with it.
  useEffect(() => {
    if (mode === 'inline') frame.current?.querySelector<HTMLElement>('video, iframe')?.focus()
  }, [mode])

  if (!source)
    return (
      <div className={styles.frame} data-ground="dark">
        <VideoFailed kind="invalidAddress" address={address} words={words} />
      </div>
    )

  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    setMode(matchMedia(`(min-width: ${lightboxWidthMin}px)`).matches ? 'lightbox' : 'inline')
  }
  const close = () => {
    setMode('poster')
    link.current?.focus({ preventScroll: true })
  }
  const player = (
    <VideoPlayer
      source={source}
      av1={av1}
      title={title}
      poster={poster?.jpeg}
      tracks={tracks}
      words={words}
    />
  )

  if (mode === 'inline')
    return (
      <div ref={frame} className={styles.frame} data-ground="dark">
        {player}
      </div>
    )
  return (
    <>
      <a
        ref={link}
        className={`${styles.frame} ${styles.poster}`}
        href={source.address}
        onClick={open}
        aria-label={words.play}
        data-ground="dark"
      >
        {poster && (
          <picture>
            {poster.avif && <source type="image/avif" srcSet={poster.avif} sizes={sizes} />}
            <img src={poster.jpeg} alt="" width="1280" height="720" loading="lazy" decoding="async" />
          </picture>
        )}
        <svg className={styles.play} viewBox="-32 -32 64 64" aria-hidden="true">
          <circle r="30.5" />
          <circle r="26" strokeDasharray="1 2.4" />
          <path d="M-6-10.5v21l17-10.5z" />
        </svg>
      </a>
      {mode === 'lightbox' && (
        <Lightbox label={title} closeLabel={words.close} onClose={close}>
          <div className={styles.frame}>{player}</div>
        </Lightbox>
      )}
    </>
  )
}
