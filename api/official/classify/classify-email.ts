import { signOf, type Sign } from './clean-text.ts'
import type { Judged } from './classified.ts'
import { likenessOf, nameWithin } from './classify-host.ts'
import { keysOfHost } from './classify-link.ts'
import type { Known } from './official-channel.ts'
import { readLink } from './read-link.ts'
import { skeletonOf } from './skeleton.ts'

/** `more`: other parts of a mailto link, for example a second address. */
export type ReadEmail = {
  display: string
  local: string
  plus: string
  host: string
  spelled: string
  more: string
}

/** Parses an email address with or without a display name, or a mailto link; `undefined` if it is neither. */
export function readEmail(pasted: string): ReadEmail | undefined {
  const [, text = '', query = ''] = /^(?:mailto:)?([^?]*)(.*)$/is.exec(pasted) ?? []
  const bracket = /^([^<>]*)<\s*([^<>\s]+@[^<>\s]+)\s*>[\s,;.]*$/.exec(text)
  const address = bracket?.[2] ?? text
  const at = address.lastIndexOf('@')
  const whole = address.slice(0, at).replaceAll('"', '').toLowerCase()
  const link = /[/?#\\:]/.test(address.slice(at + 1)) ? undefined : readLink(address.slice(at + 1))
  if (at < 1 || !link || /\s/.test(address) || !/[.:]|^localhost$/.test(link.host)) return undefined
  const plus = whole.indexOf('+')
  return {
    display: (bracket?.[1] ?? '').trim(),
    local: plus > 0 ? whole.slice(0, plus) : whole,
    plus: plus > 0 ? whole.slice(plus + 1) : '',
    host: link.host,
    spelled: link.spelled,
    more: isHarmless(query, /^mailto:/i.test(pasted)) ? '' : query,
  }
}

const isHarmless = (query: string, isLink: boolean): boolean =>
  query === '' ||
  (isLink &&
    [...new URLSearchParams(query)].every(
      ([name, value]) => /^(?:subject|body)$/i.test(name) && !/:\/|@|\n/.test(value),
    ))

/** Classifies an email address. Senders can choose any display name, so it proves nothing. */
export function classifyEmail(
  { display, local, plus, host, spelled, more }: ReadEmail,
  known: Known,
): Judged {
  const address = `${local}@${host}`
  const signs: Sign[] = []
  const ours = known.emails.find((each) => each.address === address)
  const base = {
    kind: 'email' as const,
    leadsTo: spelled,
    keys: [`email:${address}`, ...(plus ? [`email:${local}+${plus}@${host}`] : []), ...keysOfHost(host)],
  }
  const isOurHost = isOurs(host, known)
  if (host !== spelled) signs.push(signOf('punycode', host, spelled))
  if (!isOurHost || !ours) {
    const named = !isOurHost && namesUs(display, known)
    if (named) signs.push(signOf('display_name', display, named))
  }
  if (ours) {
    if (more !== '') signs.push(signOf('carries_more', more))
    if (plus) signs.push(signOf('plus_address', `+${plus}`))
    const isPlain = /^[\w.=-]*$/.test(plus) && !hasOtherAddress(display, address)
    return isPlain
      ? { ...base, official: ours.entry, signs }
      : { ...base, official: null, signs: [...signs, signOf('several', '2')] }
  }
  if (isOurHost) return { ...base, official: null, signs: [...signs, signOf('our_domain', spelled)] }
  const likeness = likenessOf(host, spelled, known) ?? localLikeness(local, plus, known)
  return { ...base, official: null, signs: likeness ? [...signs, likeness] : signs }
}

const displayMax = 64
/** Whether the display name contains a different address. */
const hasOtherAddress = (display: string, address: string): boolean =>
  display.replaceAll('"', '').toLowerCase() !== address &&
  (display.length > displayMax || /\S[.@:/]\S|\d{6}|:\/|^0x/i.test(display))

const isOurs = (host: string, { hosts, emails }: Known): boolean =>
  hosts.some((ours) => ours.isDomain && (host === ours.host || host.endsWith(`.${ours.host}`))) ||
  emails.some(({ address }) => address.endsWith(`@${host}`) && !isForAll(host))

/** Providers where anyone can get an address: ours there says nothing about the others. */
const forAll = new Set(
  'gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com icloud.com me.com proton.me protonmail.com gmx.de gmx.net web.de aol.com qq.com 163.com 126.com sina.com foxmail.com yandex.ru mail.ru tutanota.com'.split(
    ' ',
  ),
)
const isForAll = (host: string): boolean => forAll.has(host)

function namesUs(display: string, known: Known): string | undefined {
  if (display === '') return undefined
  const seen = skeletonOf(display)
  const words = seen.split(/[^\p{L}\p{M}\d]+/u)
  const name = known.names.find((each) => words.includes(each) || nameWithin(seen, known) === each)
  return name ?? known.hosts.find(({ parts }) => parts && seen.includes(parts.skeleton))?.parts?.domain
}

/** Detects our name or address before the @ of someone else's domain. */
function localLikeness(local: string, plus: string, known: Known): Sign | undefined {
  const seen = skeletonOf(local)
  const words = `${seen}-${skeletonOf(plus)}`.split(/[^\p{L}\p{M}\d]+/u)
  const host = known.hosts.find(
    ({ parts }) => parts && `${seen} ${skeletonOf(plus)}`.includes(parts.skeleton),
  )
  if (host?.parts) return signOf('added_words', local, host.parts.domain)
  const name = known.names.find((each) => words.includes(each)) ?? nameWithin(seen, known)
  return name === undefined ? undefined : signOf('added_words', plus ? `${local}+${plus}` : local, name)
}
