import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { VideoSource } from './video-address.ts'
import { VideoFailed } from './video-failed.tsx'
import type { VideoTrack, VideoWords } from './video.tsx'
import styles from './video.module.css'
import {
  type VideoFailure,
  youtubeFailure,
  youtubeOrigin,
  youtubePlayer,
  youtubeRequests,
} from './youtube-messages.ts'

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

/**
 * Shows its content over the whole screen while it is mounted. A click outside the content, the button, and Escape
 * request that it closes.
 */
export function Lightbox({
  label,
  closeLabel,
  onClose,
  children,
}: {
  label: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const stage = useRef<HTMLDivElement>(null)

  // A layout effect, because the dialog must be closed before it is removed, or the focus is lost with it.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  const closeBeside = (event: MouseEvent) => {
    if (event.target instanceof Node && !stage.current?.contains(event.target)) onClose()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does the same
    <dialog
      ref={dialog}
      className={styles.lightbox}
      data-ground="dark"
      aria-label={label}
      onClick={closeBeside}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <button type="button" className={styles.close} onClick={onClose}>
        {closeLabel}
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <path d="M1 1 13 13M13 1 1 13" fill="none" stroke="currentColor" strokeWidth="1.25" />
        </svg>
      </button>
      <div ref={stage} className={styles.stage}>
        {children}
      </div>
    </dialog>
  )
}

export function FilmPlayer({
  src,
  av1,
  title,
  poster,
  tracks,
  onFailure,
}: {
  src: string
  av1: string | undefined
  title: string
  poster: string | undefined
  tracks: readonly VideoTrack[]
  onFailure: () => void
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- tracks are set below; a silent film has none
    <video
      controls
      autoPlay
      playsInline
      poster={poster}
      aria-label={title}
      width="1280"
      height="720"
      onError={onFailure}
    >
      {av1 && <source src={av1} type='video/mp4; codecs="av01.0.05M.10"' />}
      {/* The browser tries the sources in order, so if the last one fails, all of them have failed. */}
      <source src={src} onError={onFailure} />
      {tracks.map((track) => (
        <track
          key={track.language}
          kind="captions"
          src={track.src}
          srcLang={track.language}
          label={track.label}
          default={track.isChosen}
        />
      ))}
    </video>
  )
}

/** Milliseconds. The player reports within a second. If YouTube is blocked, the frame stays gray and never reports. */
const silenceMax = 8_000

/** YouTube's player without cookies. It communicates by messages, so that none of its scripts runs in this page. */
function YoutubePlayer({
  id,
  title,
  takesFocus,
  onFailure,
}: {
  id: string
  title: string
  /** Whether the frame is focused when it appears. */
  takesFocus: boolean
  onFailure: (failure: VideoFailure, hadFocus: boolean) => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [hasLoaded, setLoaded] = useState(false)
  const [hasReported, setReported] = useState(false)

  useEffect(() => {
    if (takesFocus) frame.current?.focus()
  }, [takesFocus])

  useEffect(() => {
    const fail = (failure: VideoFailure) =>
      onFailure(failure, frame.current !== null && document.activeElement === frame.current)
    const listen = ({ origin, source, data }: MessageEvent) => {
      if (origin !== youtubeOrigin || source !== frame.current?.contentWindow) return
      setReported(true)
      const failure = youtubeFailure(data)
      if (failure) fail(failure)
    }
    addEventListener('message', listen)
    const timer = hasReported ? undefined : setTimeout(fail, silenceMax, 'failed')
    return () => {
      removeEventListener('message', listen)
      clearTimeout(timer)
    }
  }, [onFailure, hasReported])

  useReportRequests(frame, hasLoaded && !hasReported)

  return (
    <iframe
      ref={frame}
      src={youtubePlayer(id)}
      title={title}
      width="1280"
      height="720"
      // `allow-same-origin` gives the frame YouTube's origin, never ours, and the sandbox still keeps it away
      // from our window.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      // Without a referrer the player refuses to play (error 153).
      referrerPolicy="strict-origin-when-cross-origin"
      onLoad={() => setLoaded(true)}
    />
  )
}

/** Asks the player for reports. The frame may have loaded before its script is ready, so the requests are repeated. */
function useReportRequests(frame: RefObject<HTMLIFrameElement | null>, isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return undefined
    const requestReports = () => {
      for (const request of youtubeRequests) frame.current?.contentWindow?.postMessage(request, youtubeOrigin)
    }
    requestReports()
    const timer = setInterval(requestReports, 1_000)
    return () => clearInterval(timer)
  }, [frame, isNeeded])
}
