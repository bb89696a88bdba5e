export const youtubeOrigin = 'https://www.youtube-nocookie.com'

/** Why a video does not play. Each reason has its own message. */
export type VideoFailure = 'notEmbeddable' | 'notFound' | 'invalidAddress' | 'failed'

/** The player's error codes, from YouTube's IFrame API reference. 5 and unknown codes count as `failed`. */
const failures = new Map<number, VideoFailure>([
  [2, 'invalidAddress'],
  [100, 'notFound'],
  [101, 'notEmbeddable'],
  [150, 'notEmbeddable'],
])

/**
 * Requests for event reports, because the player is silent until it receives a message. They are sent to its window
 * once it has loaded.
 */
export const youtubeRequests: readonly string[] = [
  JSON.stringify({ event: 'listening', id: 'player', channel: 'widget' }),
  JSON.stringify({
    event: 'command',
    func: 'addEventListener',
    args: ['onError'],
    id: 'player',
    channel: 'widget',
  }),
]

/** Returns the failure that a message of the player reports, or null for any other message. */
export function youtubeFailure(message: unknown): VideoFailure | null {
  if (typeof message !== 'string') return null
  try {
    const { event, info } = JSON.parse(message) as { event?: unknown; info?: unknown }
    return event === 'onError' ? (failures.get(Number(info)) ?? 'failed') : null
  } catch {
    return null
  }
}

/** The URL of the player for a video. */
export const youtubePlayer = (id: string): string =>
  `${youtubeOrigin}/embed/${id}?autoplay=1&enablejsapi=1&playsinline=1&rel=0&origin=${encodeURIComponent(location.origin)}`
