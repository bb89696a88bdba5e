import { lateParts } from '../../still/late-parts.ts'

export const homeParts = lateParts(() => import('./home-parts.ts'))
