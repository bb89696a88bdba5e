import { useEffect, useRef } from 'react'
import { TextButton } from './button.tsx'
import styles from './video-failed.module.css'
import type { VideoFailure } from './youtube-messages.ts'

export type FailureWords = {
  failures: Readonly<Record<VideoFailure, string>>
  retry: string
}

/** Shown in place of a video: why it does not play, and a link to it. */
export function VideoFailed({
  kind,
  address,
  words,
  takesFocus = false,
  onRetry,
}: {
  kind: VideoFailure
  address: string
  words: FailureWords
  /** Whether its button, otherwise its link, is focused when it appears. */
  takesFocus?: boolean
  onRetry?: (() => void) | undefined
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const all = place.current
    if (takesFocus) (all?.querySelector('button') ?? all?.querySelector('a'))?.focus()
  }, [takesFocus])
  // An invalid URL can be anything, even a script, so only safe URLs become links.
  const isLink = /^(?:https:\/)?\/\w/.test(address)
  return (
    <div ref={place} className={styles.failed} role="alert">
      <p>{words.failures[kind]}</p>
      <p className={styles.address}>{isLink ? <a href={address}>{address}</a> : address}</p>
      {onRetry && <TextButton onClick={onRetry}>{words.retry}</TextButton>}
    </div>
  )
}
