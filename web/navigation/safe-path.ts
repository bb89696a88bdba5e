/** Two slashes at the start are followed by a host, and browsers treat a backslash as a slash (URL standard). */
const namesHost = (path: string): boolean => /^[/\\]{2}/.test(path)

/**
 * Returns the path of an address on our own origin, or null. Browsers drop tabs and line breaks and resolve dots, so a
 * harmless-looking start can become `//host`. The path is therefore checked both as given and as parsed.
 */
export function safePath(input: string | null, origin: string): string | null {
  if (!input?.startsWith('/') || namesHost(input) || /\p{Cc}/u.test(input)) return null
  const url = URL.parse(input, origin)
  if (url?.origin !== origin || namesHost(url.pathname)) return null
  return url.pathname + url.search + url.hash
}
