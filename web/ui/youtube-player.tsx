import { useEffect, useRef, useState, type RefObject } from 'react'
import {
  youtubeFailure,
  youtubeOrigin,
  youtubePlayer,
  youtubeRequests,
  type VideoFailure,
} from './youtube-messages.ts'

/** Milliseconds. The player reports within a second. If YouTube is blocked, the frame stays gray and never reports. */
const silenceMax = 8_000

/** YouTube's player without cookies. It communicates by messages, so that none of its scripts runs in this page. */
export function YoutubePlayer({
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
