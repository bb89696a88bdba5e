import { addPlaces } from './routes.ts'
import { sitePlaces } from './site-places.ts'

// The contents of other pages and the location of their scripts are loaded on the way to the second page.
addPlaces(sitePlaces, () => import('./site-modules.ts'))
