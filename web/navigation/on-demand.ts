import type { Language } from '#contract/fields.ts'
import { say } from '../i18n/spoken-now.ts'
import { showNotice } from '../layout/notices.tsx'

/** All that moves between pages is fetched when it is first wanted, which on most visits is never. */
export const travel = () => import('./navigate.ts')

/** Where even that script cannot be had, the browser goes the long way; without a connection nobody goes. */
const goTheLongWay = (go: () => void): void => {
  if (navigator.onLine) go()
  else showNotice(say('errors.offline'), 'error')
}

export const open = (address: string, options?: { replace?: boolean; inPlace?: boolean }): Promise<void> =>
  travel().then(
    ({ navigate }) => navigate(address, options),
    () => goTheLongWay(() => location.assign(address)),
  )

export const speakLanguage = (language: Language): Promise<void> =>
  travel().then(
    ({ changeLanguage }) => changeLanguage(language),
    () => goTheLongWay(() => location.assign(`?language=${language}`)),
  )

export const followHistory = (): Promise<void> =>
  travel().then(
    (travelling) => travelling.followHistory(),
    () => goTheLongWay(() => location.reload()),
  )
