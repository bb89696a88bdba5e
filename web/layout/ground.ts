import type { Route } from '../routes.ts'

export type Ground = 'light' | 'dark' | 'auto'

/** Public pages are read on paper under a dark header; where one works or signs in, the reader's system decides. */
export const groundsOf = ({ guard }: Route): { header: Ground; page: Ground } =>
  guard === 'anyone' ? { header: 'dark', page: 'light' } : { header: 'auto', page: 'auto' }
