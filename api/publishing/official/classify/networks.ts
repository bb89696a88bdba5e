import { accountRules, type AccountRule } from './network-rules.ts'
import type { ReadLink } from './read-link.ts'

/**
 * A name in a network. Most networks have several kinds of names, and the same name means different things: `space`
 * identifies the kind, and is empty for the kind that `@name` refers to.
 */
export type Handle = { network: string; space: string; name: string }
/** `isBelow`: a page below the name, which many networks show under any name. */
type LinkedHandle = Handle & { isBelow: boolean }

export const networks: readonly string[] = Object.keys(accountRules)
const ruleAt = new Map(
  Object.entries(accountRules).flatMap(([network, rule]) =>
    rule.hosts.split(' ').map((host) => [host, { network, rule }] as const),
  ),
)

/** Accepts only the network's own hosts, because anyone may have a name on their subdomains. */
function placeOf(host: string) {
  const exact = ruleAt.get(host)
  if (exact) return exact
  const [, before = '', rest = ''] = /^([a-z-]+)\.(.+)$/.exec(host) ?? []
  const found = ruleAt.get(rest)
  return found && (found.rule.before ?? /^(?:www|m)$/).test(before) ? found : undefined
}

export const networkOf = (host: string): string | undefined => placeOf(host)?.network

/** Returns a network's host for comparison: phones use a separate one. */
export const plainHost = (host: string): string =>
  networkOf(host) === undefined ? host : host.replace(/^(?:www|m|mobile)\./, '')

/** Returns the account that a link into a network leads to, if any. */
export function handleIn({ host, segments }: ReadLink): LinkedHandle | undefined {
  const place = placeOf(host)
  const found =
    place &&
    (codeIn(place.rule, host, segments) ??
      nameInSpace(place.rule, segments) ??
      bareName(place.rule, segments))
  if (!found || found.name === '' || /[/\s]/.test(found.name)) return undefined
  const { space, name, at = 0, isCode = space === place.rule.codeSpace } = found
  const behind = segments.slice(at + 1)
  return {
    network: place.network,
    space,
    name: isCode || /^(?:code|channel|g|g2)$/.test(space) ? name : name.toLowerCase(),
    isBelow: behind.length > 0 && !(place.rule.tails ?? /^$/).test(behind.join('/')),
  }
}

/** `at`: position of the name among the segments, first by default. The case of a code matters. */
type Named = { space: string; name: string; at?: number; isCode?: boolean }

function codeIn(rule: AccountRule, host: string, [first = '']: readonly string[]): Named | undefined {
  const { codesAt, codeSpace: space = '' } = rule
  if (codesAt === host.replace(/^www\./, '')) return { space, name: first, isCode: true }
  if (rule.codeSpace === undefined || !first.startsWith('+')) return undefined
  return { space, name: first.slice(1), isCode: true }
}

/** Reads names such as `github.com/orgs/name`. */
function nameInSpace({ spaces = {}, numbered }: AccountRule, segments: readonly string[]): Named | undefined {
  const kind = segments[0]?.toLowerCase() ?? ''
  if (!Object.hasOwn(spaces, kind)) return undefined
  // In `facebook.com/people/Name/123`, the number identifies the account.
  const at = numbered?.split(' ').includes(kind) ? 2 : 1
  const name = segments[at] ?? ''
  return { space: spaces[kind]!, name: at === 2 ? name : name.replace(/^@/, ''), at }
}

function bareName(rule: AccountRule, segments: readonly string[]): Named | undefined {
  const [first = ''] = segments
  const kind = first.toLowerCase()
  if (rule.deep && kind === rule.deep.first) return deepIn(rule.deep.spaces, segments)
  if (first.startsWith('@'))
    return rule.at === undefined ? undefined : { space: rule.at, name: first.slice(1) }
  if (rule.bare === undefined || isReserved(rule, kind)) return undefined
  return { space: (/^\d+$/.test(first) ? rule.numbersAre : undefined) ?? rule.bare, name: first }
}

/** Whether the segment looks like one of the network's own pages or files, which are not names. */
const isReserved = (rule: AccountRule, kind: string): boolean =>
  reserved.has(kind) || rule.reserved?.split(' ').includes(kind) || /\.(?:php|html?|aspx?)$/.test(kind)

/** Reads links such as `line.me/R/ti/p/@name`. */
function deepIn(spaces: Readonly<Record<string, string>>, segments: readonly string[]): Named | undefined {
  const kind = segments.findIndex((each) => Object.hasOwn(spaces, each.toLowerCase()))
  if (kind < 1 || kind > 2) return undefined
  const at = kind + 1
  return { space: spaces[segments[kind]!.toLowerCase()]!, name: (segments[at] ?? '').replace(/^@/, ''), at }
}

/** First path segments reserved by networks everywhere. */
const reserved = new Set(
  (
    'about account accounts add ads api apps auth business channels clip clips contact dialog directory download ' +
    'downloads embed events explore feed gaming hashtag help home i intent invite jobs l legal live login logout ' +
    'marketplace me media messages messenger music new notifications oauth p page pages people playlist plugins post ' +
    'posts pricing privacy profile reel reels redirect results s search security settings share sharer shorts ' +
    'signin signup status stories store story subs t tag tags team terms topic topics tos tr trending tv v video ' +
    'videos watch web users user groups group c channel u r in company school n'
  ).split(' '),
)

/** Link shorteners, whose links don't reveal their destination. */
const shorteners = new Set(
  (
    'bit.ly bitly.com t.co tinyurl.com goo.gl is.gd v.gd buff.ly ow.ly rebrand.ly cutt.ly rb.gy shorturl.at s.id ' +
    't.ly tiny.cc bl.ink qr.ae adf.ly ift.tt trib.al lnkd.in dwz.cn t.cn url.cn suo.im w3s.link short.io shorte.st ' +
    'clck.ru vk.cc u.to 0rz.tw reurl.cc ppt.cc lihi.cc linktr.ee lnk.bio bio.link forms.gle amzn.to g.co fb.me ' +
    'db.tt j.mp soo.gd x.gd tny.im qrco.de me-qr.com urlz.fr shorturl.gg surl.li l.ead.me chilp.it hyperurl.co ' +
    'dsc.gg lin.ee vm.tiktok.com vt.tiktok.com'
  ).split(' '),
)
export const isShortener = (host: string): boolean => shorteners.has(host.replace(/^www\./, ''))
