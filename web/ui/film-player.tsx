import type { VideoTrack } from './video.tsx'

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
