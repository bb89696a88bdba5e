import { useEffect, useRef } from 'react'
import {
  youtubeFailure,
  youtubeOrigin,
  youtubePlayer,
  youtubeRequests,
  type VideoFailure,
} from './youtube-messages.ts'

/** YouTube's player without cookies. What it reports comes as messages, so that no script of theirs runs here. */
export function YoutubePlayer({
  id,
  title,
  onFailure,
}: {
  id: string
  title: string
  onFailure: (failure: VideoFailure) => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)

  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent) => {
      if (origin !== youtubeOrigin || source !== frame.current?.contentWindow) return
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
      src={youtubePlayer(id)}
      title={title}
      width="1280"
      height="720"
      // Their own origin, never ours, is what `allow-same-origin` leaves them; what it keeps from them is our window.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      // Without a referrer the player refuses to play (error 153).
      referrerPolicy="strict-origin-when-cross-origin"
      onLoad={askForReports}
    />
  )
}
