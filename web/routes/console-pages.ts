import { addRoutes } from './routes.ts'
import { consoleRoutes } from './console-routes.ts'

// Where all the other pages are is asked for on the way to the second one.
addRoutes(consoleRoutes, async (route) => (await import('./console-modules.ts')).findPage(route))
