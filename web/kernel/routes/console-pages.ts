import { addRoutes } from './routes.ts'
import { consoleRoutes } from './console-routes.ts'

// The location of all other pages is requested on the way to the second page.
addRoutes(consoleRoutes, async (route) => (await import('./console-modules.ts')).findPage(route))
