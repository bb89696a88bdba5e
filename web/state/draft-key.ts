import { itemKeys } from './browser-storage.ts'

/** What every item begins with that holds something typed. */
export const draftPrefix = '_draft'

/** Whether this tab holds anything that somebody typed. */
export const hasDrafts = (): boolean => itemKeys('sessionStorage').some((key) => key.startsWith(draftPrefix))
