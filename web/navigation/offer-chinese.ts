import { storageKey } from '#content/brand.json'
import { readCookie, readItem, writeItem } from '../state/browser-storage.ts'
import { showNotice } from '../notices/notices.ts'
import { speakLanguage } from './navigate.ts'
import { onView } from './view.ts'
import { htmlLanguage, languageCookie } from '../i18n/language.ts'
import { say } from '../i18n/spoken-now.ts'

const offeredKey = `${storageKey}.offered`

/** Asks once, in Chinese, whether the reader prefers Chinese, unless they have already chosen a language. */
export function offerChinese(): void {
  // A choice made without script is in the cookie only.
  const hasChosen = readCookie(languageCookie) !== null
  if (hasChosen || readItem('localStorage', offeredKey) !== null) return
  writeItem('localStorage', offeredKey, 'yes')
  const withdraw = showNotice(say('layout.language.offer'), 'info', {
    label: say('layout.language.accept'),
    lang: htmlLanguage.cn,
    run: () => void speakLanguage('cn'),
  })
  const stop = onView(({ language }) => {
    if (language !== 'cn') return
    withdraw()
    stop()
  })
}
