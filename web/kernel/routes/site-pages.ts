import { addRoutes } from './routes.ts'
import { siteRoutes } from './site-routes.ts'

addRoutes(siteRoutes, async (route) => (await import('./site-modules.ts')).findPage(route))
