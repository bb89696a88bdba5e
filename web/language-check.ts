/**
 * A separate small script that runs before the first paint. If the stored language differs from the page's, the server
 * did not know the choice, so the cookie is set and the page is reloaded, once.
 */
import { storageKey } from '#content/brand.json'
import { languages } from '#contract/platform/languages.ts'
import { readCookie, readItem, writeItem } from './kernel/state/browser-storage.ts'
import { htmlLanguage, isLanguage, languageOfAddress } from './kernel/i18n/language.ts'
import { storedLanguage, storeLanguage } from './kernel/i18n/stored-language.ts'

const page = document.documentElement
const reloadedKey = `${storageKey}.reloaded`
const pageLanguage = languages.find((language) => htmlLanguage[language] === page.lang) ?? 'en'
const stored = storedLanguage()

if (!stored && pageLanguage !== 'en') storeLanguage(pageLanguage)
if (!stored || stored === pageLanguage || languageOfAddress(location.pathname))
  writeItem('sessionStorage', reloadedKey, null)
else if (!readItem('sessionStorage', reloadedKey)) {
  storeLanguage(stored)
  writeItem('sessionStorage', reloadedKey, 'yes')
  // Without this marker, a browser that rejects cookies would reload forever.
  if (readItem('sessionStorage', reloadedKey)) {
    page.hidden = true
    location.reload()
  }
}

// A language link may be clicked before the page's own script has loaded.
addEventListener('click', ({ target }) => {
  const language = (target as Element).closest?.<HTMLElement>('a[data-language]')?.dataset['language']
  if (isLanguage(language)) storeLanguage(language)
})

// Keeps “Sign in” from flashing for a member whose session is about to be restored.
if (readCookie('XSRF-TOKEN')) page.dataset['session'] = 'restoring'
