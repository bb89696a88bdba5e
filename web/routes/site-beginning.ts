import { addPlaces } from './routes.ts'
import { sitePlaces } from './site-places.ts'

// What other pages show, and where their scripts are, is asked for on the way to the second page.
addPlaces(sitePlaces, () => import('./site-modules.ts'))
