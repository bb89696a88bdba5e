import { pathTo } from '../../kernel/routes/routes.ts'

/** Shows the setup checklist even if no step is open. */
export const setupQuery = 'setup'
export const pathToSetup = (): string => `${pathTo('console.home')}?${setupQuery}`
