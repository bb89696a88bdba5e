import { deferComponents } from '../../still/deferred-components.ts'

export const frameParts = deferComponents(() => import('./frame-parts.ts'))
