import type { Language } from '#contract/platform/fields.ts'
import { say } from '../i18n/current-language.ts'
import { showNotice } from '../notices/notices.ts'
import type { JourneyOptions } from './navigation.ts'

/** The code for navigation is loaded on first use, because most visits never need it. */
export const loadJourney = (): Promise<typeof import('./navigation.ts')> => import('./navigation.ts')

/** If that script cannot be loaded, the browser loads the page itself. Without a connection, nothing happens. */
const loadByBrowser = (go: () => void): void => {
  if (navigator.onLine) go()
  else showNotice(say('errors.offline'), 'error')
}

/** Opens a page of this site without a full load. Every other URL is left to the browser. */
export const navigate = (address: string, options?: JourneyOptions): Promise<void> =>
  loadJourney().then(
    ({ open }) => open(address, options),
    () => loadByBrowser(() => location.assign(address)),
  )

export const setLanguageInPlace = (language: Language): Promise<void> =>
  loadJourney().then(
    ({ changeLanguage }) => changeLanguage(language),
    () => loadByBrowser(() => location.assign(`?language=${language}`)),
  )

export const followHistory = (): Promise<void> =>
  loadJourney().then(
    (journey) => journey.followHistory(),
    () => loadByBrowser(() => location.reload()),
  )
