import { readItem, writeItem } from '../state/browser-storage.ts'
import { safePath } from './safe-path.ts'

const key = '_afterLoginUrl'

/** Remembers the page that required a sign-in. */
export const storeReturnUrl = (path: string): void => writeItem('sessionStorage', key, path)

/** Returns the page that required the sign-in, limited to our own origin. It can be read only once. */
export function takeReturnUrl(): string | null {
  const path = safePath(readItem('sessionStorage', key), location.origin)
  writeItem('sessionStorage', key, null)
  return path
}
