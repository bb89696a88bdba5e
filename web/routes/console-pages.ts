import { addRoutes } from './routes.ts'
import { consoleRoutes } from './console-routes.ts'

// Where all other pages are is requested on the way to the second one.
addRoutes(consoleRoutes, async (route) => (await import('./console-modules.ts')).findPage(route))
