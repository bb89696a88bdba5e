import type { ReadLink } from './read-link.ts'

/** A name in a network. Codes of invitations tell capitals apart. */
export type Handle = { network: string; name: string; isCode?: boolean }

const hostsOf: Readonly<Record<string, readonly string[]>> = {
  x: ['x.com', 'twitter.com', 'nitter.net'],
  telegram: ['t.me', 'telegram.me', 'telegram.dog'],
  github: ['github.com'],
  youtube: ['youtube.com'],
  linkedin: ['linkedin.com'],
  weibo: ['weibo.com', 'weibo.cn'],
  facebook: ['facebook.com', 'fb.com', 'm.me', 'fb.me'],
  instagram: ['instagram.com', 'instagr.am'],
  threads: ['threads.net', 'threads.com'],
  reddit: ['reddit.com'],
  tiktok: ['tiktok.com'],
  medium: ['medium.com'],
  discord: ['discord.gg', 'discord.com', 'discordapp.com', 'dsc.gg'],
  bilibili: ['bilibili.com'],
  bluesky: ['bsky.app'],
  mastodon: ['mastodon.social'],
  line: ['line.me'],
  twitch: ['twitch.tv'],
}
export const networks: readonly string[] = Object.keys(hostsOf)
const networkAt = new Map(
  Object.entries(hostsOf).flatMap(([network, hosts]) => hosts.map((host) => [host, network])),
)

/** The network of a host, `m.` and `www.` before it included. */
export const networkOf = (host: string): string | undefined =>
  networkAt.get(host) ?? networkAt.get(host.replace(/^(?:www|m|mobile|web|old|[a-z]{2})\./, ''))

/** Parts of addresses that lead to somebody's name, and are none. */
const before =
  /^(?:@|s|c|channel|user|u|r|in|company|school|n|p|groups|pages|profile|users|space|add|invite|joinchat|ti|people)$/i
const inviting = /^(?:invite|joinchat)$/i

/** The name at which a link into a network leads, if it leads to one. */
export function handleIn({ host, segments, search }: ReadLink): Handle | undefined {
  const network = networkOf(host)
  if (network === undefined) return undefined
  const named = network === 'telegram' && segments[0] === 'resolve' ? search.get('domain') : null
  const isInvited = segments.some((each) => inviting.test(each))
  const [first = ''] = named !== null ? [named] : segments.filter((each) => !before.test(each))
  if (first === '') return undefined
  const isCode = isInvited || first.startsWith('+') || host === 'discord.gg' || host === 'dsc.gg'
  const name = first.replace(/^[@+]/, '')
  return isCode ? { network, name, isCode } : { network, name: name.toLowerCase() }
}

/** Services whose links say nothing of where they lead. */
const shorteners = new Set(
  (
    'bit.ly bitly.com t.co tinyurl.com goo.gl is.gd v.gd buff.ly ow.ly rebrand.ly cutt.ly rb.gy shorturl.at s.id ' +
    't.ly tiny.cc bl.ink qr.ae adf.ly ift.tt trib.al lnkd.in dwz.cn t.cn url.cn suo.im w3s.link short.io shorte.st ' +
    'clck.ru vk.cc u.to 0rz.tw reurl.cc ppt.cc lihi.cc linktr.ee lnk.bio bio.link forms.gle amzn.to g.co fb.me ' +
    'db.tt j.mp soo.gd x.gd tny.im qrco.de me-qr.com urlz.fr shorturl.gg surl.li l.ead.me chilp.it hyperurl.co'
  ).split(' '),
)
export const isShortener = (host: string): boolean => shorteners.has(host.replace(/^www\./, ''))
