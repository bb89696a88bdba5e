import { lateParts } from '../../still/late-parts.ts'

export const frameParts = lateParts(() => import('./frame-parts.ts'))
