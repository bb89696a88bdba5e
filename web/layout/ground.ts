import { ground } from '#content/colours.json'
import type { Route } from '../routes/routes.ts'

export type Ground = 'light' | 'dark' | 'auto'

/** For what browsers paint around the page. */
export const groundColours = ground

/** Public pages are read on paper under a dark header; where one works or signs in, the reader's system decides. */
export const groundsOf = ({ guard, rendered }: Route): { header: Ground; page: Ground } =>
  guard === 'anyone' && rendered === 'ready'
    ? { header: 'dark', page: 'light' }
    : { header: 'auto', page: 'auto' }
