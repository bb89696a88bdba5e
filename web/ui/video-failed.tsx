import { TextButton } from './button.tsx'
import styles from './video-failed.module.css'
import type { VideoFailure } from './youtube-messages.ts'

export type FailureWords = {
  failures: Readonly<Record<VideoFailure, string>>
  retry: string
}

/** Says in place of a video why it does not play, and where it is. */
export function VideoFailed({
  kind,
  address,
  words,
  onRetry,
}: {
  kind: VideoFailure
  address: string
  words: FailureWords
  onRetry?: (() => void) | undefined
}) {
  // An invalid address can be anything, a script too: only what a browser opens safely becomes a link.
  const isLink = /^(?:https:\/)?\/\w/.test(address)
  return (
    <div className={styles.failed} role="alert">
      <p>{words.failures[kind]}</p>
      <p className={styles.address}>{isLink ? <a href={address}>{address}</a> : address}</p>
      {onRetry && <TextButton onClick={onRetry}>{words.retry}</TextButton>}
    </div>
  )
}
