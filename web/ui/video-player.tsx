import { useEffect, useRef, useState } from 'react'
import type { VideoSource } from './video-address.ts'
import { VideoFailed, type FailureWords } from './video-failed.tsx'
import {
  youtubeFailure,
  youtubeOrigin,
  youtubePlayer,
  youtubeRequests,
  type VideoFailure,
} from './youtube-messages.ts'

/** Subtitles: `language` as in `<html lang>`; the chosen one is shown from the start. */
export type VideoTrack = { src: string; language: string; label: string; isChosen: boolean }

type PlayerProps<Kind> = {
  source: Extract<VideoSource, { kind: Kind }>
  title: string
  onFailure: (failure: VideoFailure) => void
}

/** Plays a video at once; in its place says what went wrong. */
export function VideoPlayer({
  source,
  av1,
  title,
  poster,
  tracks,
  words,
}: {
  source: VideoSource
  av1: string | undefined
  title: string
  poster: string | undefined
  tracks: readonly VideoTrack[]
  words: FailureWords
}) {
  const [failure, setFailure] = useState<VideoFailure | null>(null)
  if (failure) {
    const retry = failure === 'failed' ? () => setFailure(null) : undefined
    return <VideoFailed kind={failure} address={source.address} words={words} onRetry={retry} />
  }
  if (source.kind === 'youtube') return <YoutubePlayer source={source} title={title} onFailure={setFailure} />
  return (
    <FilmPlayer
      source={source}
      av1={av1}
      title={title}
      poster={poster}
      tracks={tracks}
      onFailure={setFailure}
    />
  )
}

function FilmPlayer({
  source,
  av1,
  title,
  poster,
  tracks,
  onFailure,
}: PlayerProps<'file'> & {
  av1: string | undefined
  poster: string | undefined
  tracks: readonly VideoTrack[]
}) {
  const fail = () => onFailure('failed')
  return (
    <video
      controls
      autoPlay
      playsInline
      poster={poster}
      aria-label={title}
      width="1280"
      height="720"
      onError={fail}
    >
      {av1 && <source src={av1} type='video/mp4; codecs="av01.0.08M.08"' />}
      {/* The browser tries one source after the other: where the last fails, all have. */}
      <source src={source.src} onError={fail} />
      {tracks.map(({ src, language, label, isChosen }) => (
        <track key={language} kind="captions" src={src} srcLang={language} label={label} default={isChosen} />
      ))}
    </video>
  )
}

function YoutubePlayer({ source, title, onFailure }: PlayerProps<'youtube'>) {
  const frame = useRef<HTMLIFrameElement>(null)

  useEffect(() => {
    const listen = ({ origin, source: sender, data }: MessageEvent) => {
      if (origin !== youtubeOrigin || sender !== frame.current?.contentWindow) return
      const failure = youtubeFailure(data)
      if (failure) onFailure(failure)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [onFailure])

  const askForReports = () => {
    for (const request of youtubeRequests) frame.current?.contentWindow?.postMessage(request, youtubeOrigin)
  }
  return (
    <iframe
      ref={frame}
      src={youtubePlayer(source.id)}
      title={title}
      width="1280"
      height="720"
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      // The player refuses to play (error 153) where it is not told which site it stands on.
      referrerPolicy="strict-origin-when-cross-origin"
      onLoad={askForReports}
    />
  )
}
