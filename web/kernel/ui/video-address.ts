export type VideoSource =
  | { kind: 'file'; src: string; address: string }
  | { kind: 'youtube'; id: string; address: string }

const youtubeHosts = new Set(['youtube.com', 'www.youtube.com', 'm.youtube.com'])
const youtubeFolders = new Set(['embed', 'shorts', 'live', 'v'])
const youtubeId = /^[\w-]{11}$/
/** Segments that start with a letter, digit, or underscore, so that neither `..` nor a second slash is accepted. */
const filePath = /^(?:\/\w[\w.-]*)+\.(?:mp4|webm)$/

/**
 * Parses a video URL: a film file on this site (`/assets/films/a.mp4`) or a YouTube video in any of the usual https
 * forms. Null for everything else. `address` is where a person can watch it.
 */
export function parseVideoAddress(text: string): VideoSource | null {
  if (filePath.test(text)) return { kind: 'file', src: text, address: text }
  const id = youtubeIdOf(text)
  return id === null ? null : { kind: 'youtube', id, address: `https://www.youtube.com/watch?v=${id}` }
}

function youtubeIdOf(text: string): string | null {
  // The URL parser drops spaces, tabs, and line breaks and converts backslashes. A video URL contains none of them.
  if (!/^https:\/\/[\w.-]+\/[\w./?&=%-]*$/.test(text)) return null
  const url = URL.parse(text)
  if (!url) return null
  const path = url.pathname.split('/').slice(1)
  return validId(candidate(url, path))
}

function candidate({ hostname, pathname, searchParams }: URL, path: string[]): string | null {
  const isInFolder = path.length === 2 && youtubeFolders.has(path[0] ?? '')
  if (hostname === 'youtu.be') return path.length === 1 ? (path[0] ?? null) : null
  if (hostname === 'www.youtube-nocookie.com')
    return isInFolder && path[0] === 'embed' ? (path[1] ?? null) : null
  if (!youtubeHosts.has(hostname)) return null
  if (pathname === '/watch') return searchParams.getAll('v').length === 1 ? searchParams.get('v') : null
  return isInFolder ? (path[1] ?? null) : null
}

const validId = (id: string | null): string | null => (id !== null && youtubeId.test(id) ? id : null)
