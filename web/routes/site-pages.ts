import type { Page, PageModules } from './page.ts'
import { addRoutes } from './routes.ts'
import { siteRoutes } from './site-routes.ts'

const modules: PageModules = import.meta.glob<{ default: Page }>([
  '../**/*-page.tsx',
  '!../console/**',
  '!../announcements/newsroom/**',
  '!../kyc/review/**',
  '!../sessions/lost-factors/lost-factors-page.tsx',
])

addRoutes(siteRoutes, modules)
