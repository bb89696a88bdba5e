import type { Language } from '#contract/fields.ts'
import { say } from '../i18n/spoken-now.ts'
import { showNotice } from '../notices/notices.ts'
import type { JourneyOptions } from './journey.ts'

/** All that moves between pages is fetched when it is first wanted, which on most visits is never. */
export const loadJourney = (): Promise<typeof import('./journey.ts')> => import('./journey.ts')

/** Where even that script cannot be had, the browser goes the long way; without a connection nobody goes. */
const goTheLongWay = (go: () => void): void => {
  if (navigator.onLine) go()
  else showNotice(say('errors.offline'), 'error')
}

/** Opens a page of ours without a full load; every other address is left to the browser. */
export const navigate = (address: string, options?: JourneyOptions): Promise<void> =>
  loadJourney().then(
    ({ open }) => open(address, options),
    () => goTheLongWay(() => location.assign(address)),
  )

export const speakLanguage = (language: Language): Promise<void> =>
  loadJourney().then(
    ({ changeLanguage }) => changeLanguage(language),
    () => goTheLongWay(() => location.assign(`?language=${language}`)),
  )

export const followHistory = (): Promise<void> =>
  loadJourney().then(
    (journey) => journey.followHistory(),
    () => goTheLongWay(() => location.reload()),
  )
