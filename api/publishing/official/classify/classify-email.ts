import { signOf, type Sign } from './clean-text.ts'
import { likenessOf, nameWithin } from './classify-host.ts'
import { keysOfHost } from './classify-link.ts'
import { judged, type Judged, type Known } from './official-channel.ts'
import { readLink } from './read-link.ts'
import { skeletonOf } from './skeleton.ts'

/** `more`: other parts of a mailto link, for example a second address. */
type ReadEmail = {
  display: string
  local: string
  plus: string
  host: string
  spelled: string
  more: string
}

/** Parses an email address with or without a display name, or a mailto link; `undefined` if it is neither. */
export function readEmail(pasted: string): ReadEmail | undefined {
  const [text, query] = /^(?:mailto:)?([^?]*)(.*)$/is.exec(pasted)!.slice(1) as [string, string]
  const [, display = '', address = text] = /^([^<>]*)<\s*([^<>\s]+@[^<>\s]+)\s*>[\s,;.]*$/.exec(text) ?? []
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const link = /[/?#\\:]/.test(domain) ? undefined : readLink(domain)
  if (at < 1 || !link || /\s/.test(address) || !/[.:]|^localhost$/.test(link.host)) return undefined
  const whole = address.slice(0, at).replaceAll('"', '').toLowerCase()
  const [, local = whole, plus = ''] = /^([^+]+)\+(.*)$/s.exec(whole) ?? []
  return {
    display: display.trim(),
    local,
    plus,
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
export function classifyEmail(email: ReadEmail, known: Known): Judged {
  const { display, local, plus, host, spelled } = email
  const address = `${local}@${host}`
  const signs: Sign[] = []
  const ours = known.emails.find((each) => each.address === address)
  const isOurHost = isOurs(host, known)
  if (host !== spelled) signs.push(signOf('punycode', host, spelled))
  const named = isOurHost ? undefined : namesUs(display, known)
  if (named) signs.push(signOf('display_name', display, named))
  if (ours) signs.push(...oddities(email, address))
  else if (isOurHost) signs.push(signOf('our_domain', spelled))
  else {
    const likeness = likenessOf(host, spelled, known) ?? localLikeness(local, plus, known)
    if (likeness) signs.push(likeness)
  }
  return judged('email', {
    leadsTo: spelled,
    official: signs.some(({ sign }) => sign === 'several') ? null : (ours?.entry ?? null),
    signs,
    keys: [`email:${address}`, ...(plus ? [`email:${local}+${plus}@${host}`] : []), ...keysOfHost(host)],
  })
}

/** Signs at one of our own addresses. `several`: it comes with another one. */
function oddities({ display, plus, more }: ReadEmail, address: string): Sign[] {
  const isPlain = /^[\w.=-]*$/.test(plus) && !hasOtherAddress(display, address)
  return [
    ...(more === '' ? [] : [signOf('carries_more', more)]),
    ...(plus === '' ? [] : [signOf('plus_address', `+${plus}`)]),
    ...(isPlain ? [] : [signOf('several', '2')]),
  ]
}

const displayMax = 64
/** Whether the display name contains a different address. */
const hasOtherAddress = (display: string, address: string): boolean =>
  display.replaceAll('"', '').toLowerCase() !== address &&
  (display.length > displayMax || /\S[.@:/]\S|\d{6}|:\/|^0x/i.test(display))

const isOurs = (host: string, { hosts, emails }: Known): boolean =>
  hosts.some((ours) => ours.isDomain && (host === ours.host || host.endsWith(`.${ours.host}`))) ||
  (!forAll.has(host) && emails.some(({ address }) => address.endsWith(`@${host}`)))

/** Providers where anyone can get an address, so one official address there makes no other address official. */
const forAll = new Set(
  'gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com icloud.com me.com proton.me protonmail.com gmx.de gmx.net web.de aol.com qq.com 163.com 126.com sina.com foxmail.com yandex.ru mail.ru tutanota.com'.split(
    ' ',
  ),
)

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
