import { consolePath } from '../routes/console-path.ts'
import { currentSession } from '../session/session.ts'
import { readItem, writeItem } from '../state/browser-storage.ts'

const key = '_afterLoginUrl'

/** Remembers the page that required a sign-in. */
export const storeReturnUrl = (path: string): void => writeItem('sessionStorage', key, path)

/**
 * Returns the page that required the sign-in, limited to our own origin. It can be read only once. Without such a page,
 * returns the console for staff who chose to start there, otherwise null.
 */
export function takeReturnUrl(): string | null {
  const path = safePath(readItem('sessionStorage', key), location.origin)
  writeItem('sessionStorage', key, null)
  return path ?? (currentSession().member?.opensConsole ? consolePath : null)
}

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
