import { deferComponents } from '../../kernel/still/deferred-components.ts'

export const homeParts = deferComponents(() => import('./home-parts.ts'))
