import { addRoutes } from './routes.ts'
import { siteRoutes } from './site-routes.ts'

// Where all the other pages are is asked for on the way to the second one.
addRoutes(siteRoutes, async (file) => (await import('./site-modules.ts')).findPage(file))
