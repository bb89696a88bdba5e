import { consoleRoutes } from './console-routes.ts'
import type { Page, PageModules } from './page.ts'
import { addRoutes } from './routes.ts'

const modules: PageModules = import.meta.glob<{ default: Page }>([
  '../console/**/*-page.tsx',
  '../announcements/newsroom/*-page.tsx',
  '../kyc/review/*-page.tsx',
  '../sessions/lost-factors/lost-factors-page.tsx',
])

addRoutes(consoleRoutes, modules)
