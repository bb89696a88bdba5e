import { signOf, type Sign } from './clean-text.ts'
import { classifyHandle } from './classify-handle.ts'
import { likenessOf } from './classify-host.ts'
import { handleIn, isShortener, networkOf, plainHost } from './networks.ts'
import { isSameQuery, queriesOf, routeIn } from './link-query.ts'
import { judged, type Judged, type Known, type OurHost } from './official-channel.ts'
import { dangerousScheme, readLink, type ReadLink } from './read-link.ts'
import { skeletonOf } from './skeleton.ts'

/** Classifies a link; `undefined` if the text is not one. */
export function classifyLink(text: string, known: Known): Judged | undefined {
  const scheme = dangerousScheme(text)
  if (scheme !== undefined) return judged('link', { signs: [signOf('dangerous_scheme', scheme)] })
  const link = readLink(text)
  if (!link) return undefined
  const signs = [...link.signs]
  const ours = known.hosts.find((each) => isOurs(each, link))
  const found = judged('link', { leadsTo: link.spelled, keys: keysOfLink(link), signs })
  if (ours) {
    if (link.scheme === 'http' && ours.entry.value.startsWith('https:')) signs.push(signOf('plain_http'))
    if (link.port !== ours.port) signs.push(signOf('other_port', link.port, ours.port))
    return { ...found, official: ours.entry }
  }
  if (networkOf(link.host) !== undefined) return inNetwork(link, found, known)
  if (known.hosts.some(({ host }) => host === link.host)) {
    signs.push(signOf('other_page', link.host))
    return found
  }
  if (isShortener(link.host)) signs.push(signOf('shortener', link.host))
  const likeness = likenessOf(link.host, link.spelled, known)
  if (likeness) signs.push(likeness)
  signs.push(...oursIn(link, known))
  return found
}

function inNetwork(link: ReadLink, found: Judged, known: Known): Judged {
  const signs = [...found.signs, ...oursIn(link, known)]
  const otherPage = signOf('other_page', link.host)
  const handle = handleIn(link)
  if (!handle) return { ...found, signs: [...signs, otherPage] }
  const account = classifyHandle(handle, known)
  const isPage = account.official !== null && handle.isBelow
  return {
    ...account,
    official: isPage ? null : account.official,
    leadsTo: link.spelled,
    keys: [...account.keys, ...found.keys],
    signs: [...signs, ...account.signs, ...(isPage ? [otherPage] : [])],
  }
}

/** Whether the link is ours: our host, and everything on it unless others have pages there too. */
function isOurs(ours: OurHost, link: ReadLink): boolean {
  if (ours.isDomain) return link.host === ours.host || link.host.endsWith(`.${ours.host}`)
  if (plainHost(link.host) !== ours.host) return false
  if (ours.query.length > 0 || ours.hash !== '')
    return link.path === ours.path && routeIn(link) === ours.hash && isSameQuery(ours.query, link.search)
  // An encoded slash may lead out of the path again.
  if (ours.path !== '' && /%(?:2f|5c|2e|25|00)/i.test(link.path)) return false
  if (ours.path === '' || link.path === ours.path) return true
  // Pages below an account, as on Mastodon, may be posts by others.
  return !/^\/@[^/]+$/.test(ours.path) && link.path.startsWith(`${ours.path}/`)
}

/** Detects one of our addresses in the path or query of someone else's link. */
function oursIn({ rest, host }: ReadLink, known: Known): Sign[] {
  const seen = skeletonOf(rest)
  const found = known.hosts.find(
    (ours) => ours.parts && ours.host !== host && seen.includes(ours.parts.skeleton),
  )
  return found ? [signOf('in_path', rest, found.parts?.domain)] : []
}

/** Returns the keys under which the link may be listed, from the full link to the domain. */
function keysOfLink(link: Pick<ReadLink, 'host' | 'path' | 'search' | 'hash'>): string[] {
  const { path } = link
  const host = plainHost(link.host)
  const parts = path.split('/').filter(Boolean).slice(0, 8)
  const paths = ['', ...parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)]
  const exact = queriesOf(link).map((query) => `link:${host}${path}${query}`)
  return [...exact, ...paths.toReversed().map((each) => `link:${host}${each}`), ...keysOfHost(host)]
}

export function keysOfHost(host: string): string[] {
  const labels = host.split('.').slice(-8)
  return labels.flatMap((_, at) => (at < labels.length - 1 ? [`domain:${labels.slice(at).join('.')}`] : []))
}
