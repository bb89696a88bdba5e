import type { Route } from '../routes/routes.ts'

export type ColorScheme = 'light' | 'dark' | 'auto'

/** Public pages are light with a dark header. Member and login pages follow the system's color scheme. */
export const colorSchemesOf = ({ guard, rendered }: Route): { header: ColorScheme; page: ColorScheme } =>
  guard === 'anyone' && rendered === 'ready'
    ? { header: 'dark', page: 'light' }
    : { header: 'auto', page: 'auto' }
