import { useEffect, useRef, useState, type ComponentType, type MouseEvent } from 'react'
import type { VideoSource } from './video-address.ts'
import type { FailureWords } from './video-failed.tsx'
import type { StageProps } from './video-stage.tsx'
import styles from './video.module.css'

/** From this width (pixels) on, a video opens full-screen. In narrower windows it plays inline. */
const lightboxWidthMin = 840

/** Subtitles. `language` has the format of `<html lang>`. The chosen track is shown from the start. */
export type VideoTrack = { src: string; language: string; label: string; isChosen: boolean }

/** A 16:9 still: one JPEG with a width of 1280 pixels for all browsers, and AVIFs by width in `srcset` format. */
export type Poster = { jpeg: string; avif?: string }

export type VideoWords = FailureWords & {
  /** Label of the link on the poster, such as Play “How a block is made”. */
  play: string
  close: string
}

type VideoProps = {
  /** A film file on this site or a video on YouTube (see `parseVideoAddress`). */
  source: VideoSource
  /** The same film in AV1, for browsers that play it. */
  av1?: string | undefined
  title: string
  /** Without a poster the frame stays dark. */
  poster?: Poster | undefined
  /** The poster's width, as in the `sizes` attribute of an image. */
  sizes?: string | undefined
  tracks?: readonly VideoTrack[]
  words: VideoWords
}

/** Loads the player's script at the first sign of interest. */
const loadStage = () => import('./video-stage.tsx')

/**
 * A poster that becomes a player on click. Nothing of the video is requested before. Without JavaScript it is a link to
 * the video.
 */
export function Video({ source, av1, title, poster, sizes, tracks = [], words }: VideoProps) {
  const [playing, setPlaying] = useState<{ Stage: ComponentType<StageProps>; isInline: boolean } | null>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const place = useRef<HTMLDivElement>(null)

  // The player replaces the link that had the focus.
  useEffect(() => {
    if (playing?.isInline) place.current?.querySelector<HTMLElement>('video, iframe')?.focus()
  }, [playing])

  const play = async () => {
    const isInline = !matchMedia(`(min-width: ${lightboxWidthMin}px)`).matches
    try {
      const { VideoStage } = await loadStage()
      setPlaying({ Stage: VideoStage, isInline })
    } catch {
      location.assign(source.address)
    }
  }
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void play()
  }
  const close = () => {
    setPlaying(null)
    link.current?.focus({ preventScroll: true })
  }
  const prepare = () => void loadStage().catch(() => undefined)

  const stage = playing && (
    <playing.Stage
      source={source}
      av1={av1}
      title={title}
      poster={poster?.jpeg}
      tracks={tracks}
      words={words}
      onClose={playing.isInline ? undefined : close}
    />
  )
  if (playing?.isInline)
    return (
      <div ref={place} className={styles.frame} data-ground="dark">
        {stage}
      </div>
    )
  return (
    <>
      <a
        ref={link}
        className={`${styles.frame} ${styles.poster}`}
        href={source.address}
        onClick={follow}
        onPointerEnter={prepare}
        onFocus={prepare}
        aria-label={words.play}
        data-film
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
      {stage}
    </>
  )
}
