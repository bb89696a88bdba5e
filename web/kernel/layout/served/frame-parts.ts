import { Rosette } from '../../brand/rosette.tsx'
import { Footer } from './footer.tsx'
import { SearchLink } from './search-link.tsx'
import { SigninFoot } from './signin-foot.tsx'
import { Wordmark } from './wordmark.tsx'
import { NetworkLinks } from './network-links.tsx'
import { Waiting } from './waiting.tsx'

/** The static parts around every page of the site. */
export default { Footer, NetworkLinks, Rosette, SearchLink, SigninFoot, Waiting, Wordmark }
