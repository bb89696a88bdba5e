import type { Language } from '#contract/fields.ts'

/** All that moves between pages is fetched when it is first wanted, which on most visits is never. */
export const travel = () => import('../navigate.ts')

/** Where even that script cannot be had, the browser goes the long way. */
export const open = (address: string, options?: { replace?: boolean }): Promise<void> =>
  travel().then(
    ({ navigate }) => navigate(address, options),
    () => location.assign(address),
  )

export const speakLanguage = (language: Language): Promise<void> =>
  travel().then(
    ({ changeLanguage }) => changeLanguage(language),
    () => location.assign(`?language=${language}`),
  )
