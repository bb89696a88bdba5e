/**
 * A small script of its own that runs before the page is painted. Where the stored language is not the page's,
 * the server did not see the choice: its cookie is set and the page loaded again, once.
 */
import { storageKey } from '#content/brand.json'
import { readCookie, readItem, writeItem } from './state/browser-storage.ts'
import { htmlLanguage, isChineseAddress } from './i18n/language.ts'
import { storedLanguage, storeLanguage } from './i18n/stored-language.ts'

const page = document.documentElement
const reloadedKey = `${storageKey}.reloaded`
const shown = page.lang === htmlLanguage.cn ? 'cn' : 'en'
const stored = storedLanguage()

if (!stored && shown === 'cn') storeLanguage('cn')
if (!stored || stored === shown || isChineseAddress(location.pathname))
  writeItem('sessionStorage', reloadedKey, null)
else if (!readItem('sessionStorage', reloadedKey)) {
  storeLanguage(stored)
  writeItem('sessionStorage', reloadedKey, 'yes')
  // Without the mark a browser that keeps no cookies would load the page for ever.
  if (readItem('sessionStorage', reloadedKey)) {
    page.hidden = true
    location.reload()
  }
}

// A language link may be followed before the page's own script has come.
addEventListener('click', ({ target }) => {
  const language = (target as Element).closest?.<HTMLElement>('a[data-language]')?.dataset['language']
  if (language === 'en' || language === 'cn') storeLanguage(language)
})

// Keeps “Sign in” from showing for a moment to somebody whose session is about to be restored.
if (readCookie('XSRF-TOKEN')) page.dataset['session'] = 'restoring'
