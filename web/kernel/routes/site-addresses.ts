import { addRoutes } from './routes.ts'
import { siteRoutes } from './site-routes.ts'

// The console links to pages of the site but opens none of them itself.
addRoutes(siteRoutes)
