/**
 * The path of an address on our own origin, or null. `//host` and `/\host` lead elsewhere, and so does what becomes
 * one of them once a browser has dropped tabs and line breaks (URL standard).
 */
export function safePath(given: string | null, origin: string): string | null {
  if (!given?.startsWith('/') || /^\/[/\\]/.test(given) || /\p{Cc}/u.test(given)) return null
  const url = URL.parse(given, origin)
  return url?.origin === origin ? url.pathname + url.search + url.hash : null
}
