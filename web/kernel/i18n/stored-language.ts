import { storageKey } from '#content/brand.json'
import { DAY, SECOND } from '#contract/platform/durations.ts'
import type { Language } from '#contract/platform/fields.ts'
import { readItem, writeItem } from '../state/browser-storage.ts'
import { choiceOf, languageCookie } from './language.ts'

const cookieAge = (365 * DAY) / SECOND

export const storedLanguage = (): Language | null => choiceOf(readItem('localStorage', storageKey))

/** Stores the choice, and copies it to a cookie so that the server uses the right language immediately. */
export function storeLanguage(language: Language): void {
  writeItem('localStorage', storageKey, language)
  const isSecure = location.protocol === 'https:'
  document.cookie = `${languageCookie}=${language}; Path=/; Max-Age=${cookieAge}; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
