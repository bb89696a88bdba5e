import type { Route } from '../routes/routes.ts'

export type Ground = 'light' | 'dark' | 'auto'

/** Public pages are light with a dark header. Member and login pages follow the system's color scheme. */
export const groundsOf = ({ guard, rendered }: Route): { header: Ground; page: Ground } =>
  guard === 'anyone' && rendered === 'ready'
    ? { header: 'dark', page: 'light' }
    : { header: 'auto', page: 'auto' }
