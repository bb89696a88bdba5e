import { itemKeys } from './browser-storage.ts'

/** Prefix of every stored draft. */
export const draftPrefix = '_draft'

/** Whether this tab stores any draft. */
export const hasDrafts = (): boolean => itemKeys('sessionStorage').some((key) => key.startsWith(draftPrefix))
