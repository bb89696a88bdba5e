import { Rosette } from '../../brand/rosette.tsx'
import { Footer } from './footer.tsx'
import { Wordmark } from './wordmark.tsx'
import { NetworkLinks } from './network-links.tsx'
import { Waiting } from './waiting.tsx'

/** What stands around every page of the site without changing. */
export default { Footer, NetworkLinks, Rosette, Waiting, Wordmark }
