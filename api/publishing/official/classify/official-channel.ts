import type { ChannelKind, OfficialRole, PastedKind } from '#contract/publishing/official.ts'
import type { PayChain } from '#contract/money/sale.ts'
import type { Sign } from './clean-text.ts'
import { handleIn, networkOf, plainHost, type Handle } from './networks.ts'
import { queryOf, routeIn, type Query } from './link-query.ts'
import { domainOf, readLink, type Domain, type ReadLink } from './read-link.ts'
import { skeletonOf } from './skeleton.ts'

/** A channel of the project, from content, settings, or the console. */
export type Ours = {
  kind: ChannelKind
  role: OfficialRole
  /** Name of the network or coin, or the name given in the console. */
  name: string
  value: string
  /** Set for receiving addresses. */
  chain?: PayChain
}

export type OurHost = {
  entry: Ours
  host: string
  /** Includes subdomains. */
  isDomain: boolean
  port: string
  /** Path prefix, if others also use the host. */
  path: string
  /** Query parameters that must be equal, for example the `id` of an app in a store. */
  query: Query
  hash: string
  skeleton: string
  parts: (Domain & { skeleton: string; nameSkeleton: string }) | undefined
}
type OurHandle = Handle & { entry: Ours; skeleton: string }

/** Everything that a pasted text is compared with. */
export type Known = {
  hosts: readonly OurHost[]
  handles: readonly OurHandle[]
  emails: readonly { entry: Ours; address: string }[]
  phones: readonly { entry: Ours; digits: string }[]
  coins: readonly Ours[]
  /** Names that imitators might add words to. */
  names: readonly string[]
}

/** Result for one pasted part, before its `keys` are looked up among the impersonation entries. */
export type Judged = {
  kind: PastedKind
  leadsTo: string | null
  official: Ours | null
  signs: Sign[]
  keys: string[]
}

/** Returns a result that leads nowhere, is unknown, and shows no signs, except for what was found. */
export const judged = (kind: PastedKind, found: Partial<Judged>): Judged => ({
  kind,
  leadsTo: null,
  official: null,
  signs: [],
  keys: [],
  ...found,
})

/** Removes signs that are insignificant in names of networks. */
export const withoutSigns = (name: string): string => name.replaceAll(/[._-]/g, '')

const nameLengthMin = 3

export function indexChannels(entries: readonly Ours[], brand: { name: string; ticker: string }): Known {
  const hosts: OurHost[] = []
  const handles: OurHandle[] = []
  const ofKind = (...kinds: ChannelKind[]) => entries.filter(({ kind }) => kinds.includes(kind))
  for (const entry of ofKind('handle', 'link', 'domain')) {
    const link = readLink(entry.value)
    if (!link) continue
    const handle = handleIn(link)
    if (handle && !handle.isBelow)
      handles.push({ ...handle, entry, skeleton: skeletonOf(withoutSigns(handle.name)) })
    // A page in a network is ours as a whole; the network is not.
    else if (networkOf(link.host) === undefined || link.path !== '') hosts.push(hostOf(entry, link))
  }
  const own = hosts.filter(({ isDomain }) => isDomain)
  const names = [brand.name, brand.ticker, ...own.map(({ parts }) => parts?.name ?? '')]
    .map((name) => skeletonOf(name.replaceAll(/[\s_-]/g, '')))
    .filter((name) => name.length >= nameLengthMin)
  return {
    hosts,
    handles,
    emails: ofKind('email').map((entry) => ({ entry, address: entry.value.toLowerCase() })),
    phones: ofKind('phone').map((entry) => ({ entry, digits: entry.value.replaceAll(/\D/g, '') })),
    coins: ofKind('coin'),
    names: [...new Set(names)],
  }
}

function hostOf(entry: Ours, link: ReadLink): OurHost {
  const isDomain = entry.kind === 'domain'
  const isInNetwork = networkOf(link.host) !== undefined
  const parts = isInNetwork ? undefined : domainOf(link.host)
  return {
    entry,
    host: plainHost(link.host),
    isDomain,
    port: link.port,
    path: isDomain ? '' : link.path,
    query: isDomain ? [] : queryOf(link),
    hash: isDomain ? '' : routeIn(link),
    // A network's own host is not compared for resemblance.
    skeleton: isInNetwork ? '' : skeletonOf(link.spelled),
    parts: parts && { ...parts, skeleton: skeletonOf(parts.domain), nameSkeleton: skeletonOf(parts.name) },
  }
}
