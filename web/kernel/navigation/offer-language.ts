import { storageKey } from '#content/brand.json'
import { isAlwaysComplete, type Language } from '#contract/platform/languages.ts'
import { loadMessages } from '../content/load-messages.ts'
import { readCookie, readItem, writeItem } from '../state/browser-storage.ts'
import { showNotice } from '../notices/notices.ts'
import { setLanguageInPlace } from './navigate.ts'
import { onView } from './view.ts'
import { htmlLanguage, languageCookie } from '../i18n/language.ts'
import { say } from '../i18n/current-language.ts'

const offeredKey = `${storageKey}.offered`

/**
 * Asks once, in the reader's preferred language, whether to switch the site to it, unless a language was already
 * chosen.
 */
export async function offerLanguage(preferred: Language): Promise<void> {
  // A choice made without JavaScript is stored only in the cookie.
  const hasChosen = readCookie(languageCookie) !== null
  if (hasChosen || readItem('localStorage', offeredKey) !== null) return
  const [offer, accept] = ['layout.language.offer', 'layout.language.accept'] as const
  let words = { [offer]: say(offer), [accept]: say(accept) }
  // The English messages of the offer already include Chinese, because most readers who see it prefer Chinese.
  if (!isAlwaysComplete(preferred)) {
    const own = await loadMessages(preferred, ['layout'])
    if (!own[offer] || own[offer] === words[offer]) return
    words = { [offer]: own[offer], [accept]: own[accept] ?? '' }
  }
  writeItem('localStorage', offeredKey, 'yes')
  const withdraw = showNotice(words[offer], 'info', {
    label: words[accept],
    lang: htmlLanguage[preferred],
    run: () => void setLanguageInPlace(preferred),
  })
  const stop = onView(({ language }) => {
    if (language !== preferred) return
    withdraw()
    stop()
  })
}
