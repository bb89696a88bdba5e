/** Two slashes at the start name a host, and browsers read a backslash as one (URL standard). */
const namesHost = (path: string): boolean => /^[/\\]{2}/.test(path)

/**
 * The path of an address on our own origin, or null. Browsers drop tabs and line breaks and resolve dots, so a
 * harmless start can become `//host`: the path is checked both as given and as parsed.
 */
export function safePath(given: string | null, origin: string): string | null {
  if (!given?.startsWith('/') || namesHost(given) || /\p{Cc}/u.test(given)) return null
  const url = URL.parse(given, origin)
  if (url?.origin !== origin || namesHost(url.pathname)) return null
  return url.pathname + url.search + url.hash
}
