import { findIn } from './find-in.ts'
import type { Page } from './page.ts'
import { siteRoutes } from './site-routes.ts'

export const contents = siteRoutes

export const findPage = findIn(
  import.meta.glob<{ default: Page }>([
    '../../**/*-page.tsx',
    '!../../console/**',
    '!../../sessions/account-recovery/recovery-requests-page.tsx',
  ]),
)
