import { ground } from '#content/colours.json'
import type { Route } from '../routes/routes.ts'

export type Ground = 'light' | 'dark' | 'auto'

/** Colours for the browser's own interface around the page. */
export const groundColours = ground

/** Public pages are light under a dark header; member and login pages follow the system's preference. */
export const groundsOf = ({ guard, rendered }: Route): { header: Ground; page: Ground } =>
  guard === 'anyone' && rendered === 'ready'
    ? { header: 'dark', page: 'light' }
    : { header: 'auto', page: 'auto' }
