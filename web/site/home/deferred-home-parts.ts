import { deferComponents } from '../../still/deferred-components.ts'

export const homeParts = deferComponents(() => import('./home-parts.ts'))
