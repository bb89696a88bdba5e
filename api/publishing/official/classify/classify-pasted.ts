import { disguises, type OfficialAnswer } from '#contract/publishing/official.ts'
import { cleanText, signOf, type Sign } from './clean-text.ts'
import { classifyAlikeCoin, classifyCoin, readCoin } from './classify-coin.ts'
import { classifyEmail, readEmail } from './classify-email.ts'
import { classifyHandle, type PastedHandle } from './classify-handle.ts'
import { classifyLink } from './classify-link.ts'
import { classifyPhone, phoneInLink, readPhone } from './classify-phone.ts'
import { judged, type Judged, type Known } from './official-channel.ts'
import { innerOf, isWhole, partsOf, piecesOf, refanged, hasReadableText, unwrapped } from './pieces.ts'
import { dangerousScheme } from './read-link.ts'

/** Maximum number of pieces that are classified. */
const piecesMax = 60

type ClassifiedText = Judged & { shown: string; isDisguised: boolean }

/**
 * Classifies a pasted text, and tells whether it is ours. A disguised text, or one with anything else around it, never
 * counts as ours.
 */
export function classifyPasted(given: string, known: Known): ClassifiedText {
  const { shown } = cleanText(given)
  const parts = partsOf(given)
  const whole = parts.length === 1 ? classifyPart(parts[0]!, known) : undefined
  const inner = whole && parts.length === 1 ? innerOf(parts[0]!) : []
  const found =
    !whole || (whole.official && inner.length > 1)
      ? classifyWithin(parts, known)
      : // What stands within it may be known as false.
        { ...whole, keys: keysOf([whole, ...inner.flatMap((each) => classifyPart(each, known) ?? [])]) }
  const isDisguised = isGrave(found)
  return { ...found, official: isDisguised ? null : found.official, shown, isDisguised }
}

/** Classifies one part, with the signs found in its letters. */
function classifyPart(part: string, known: Known): Judged | undefined {
  const { text, signs } = cleanText(part)
  const found = judgeOne(text, known)
  if (!found) return undefined
  const ofLetters = found.kind === 'phone' ? seenOfNumber(part, text, signs) : signs
  const all = [...ofLetters, ...found.signs].toSorted(
    (one, other) => Number(grave.has(other.sign)) - Number(grave.has(one.sign)),
  )
  if (!found.official || !isLinkLike(text) || isWhole(text)) return { ...found, signs: all }
  return { ...found, official: null, signs: [...all, signOf('several', '2')] }
}

/** Ignores digits of other scripts, which are no disguise in a number, and the marks that phones copy with it. */
function seenOfNumber(part: string, text: string, signs: readonly Sign[]): readonly Sign[] {
  if (isLinkLike(text)) return signs
  const bare = part.replaceAll(/^[\s\u200e\u202a\u202d]+|[\s\u200e\u202c]+$/g, '')
  const inside = cleanText(bare).signs
  return inside.filter(({ sign }) => sign !== 'full_width' && sign !== 'styled')
}

const grave: ReadonlySet<string> = new Set(disguises)
const isGrave = ({ signs }: Judged): boolean => signs.some(({ sign }) => grave.has(sign))
const keysOf = (all: readonly Judged[]): string[] =>
  [...new Set(all.flatMap(({ keys }) => keys))].slice(0, 300)

function judgeOne(pasted: string, known: Known): Judged | undefined {
  const text = refanged(unwrapped(pasted))
  if (text === '') return undefined
  if (dangerousScheme(text) !== undefined) return classifyLink(text, known)
  const isSpaced = /\s/.test(text)
  const coin = isSpaced ? undefined : classifyCoinAddress(text, known)
  if (coin) return coin
  const phone = readPhone(text) ?? phoneInLink(text)
  if (phone) return classifyPhone(phone, known)
  const email = text.includes('@') && !/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? readEmail(text) : undefined
  if (email) return classifyEmail(email, known)
  if (isSpaced) return undefined
  const escaped = classifyEscapedAt(text, known)
  if (escaped) return escaped
  const handle = readHandle(text)
  if (handle) return classifyHandle(handle, known)
  return looksLikeLink(text) ? classifyLink(text, known) : undefined
}

/** Classifies a coin address, or a text that differs from one of ours only by look-alike letters. */
function classifyCoinAddress(text: string, known: Known): Judged | undefined {
  const coin = readCoin(text)
  return coin ? classifyCoin(coin, known) : classifyAlikeCoin(text, known)
}

/**
 * Recognizes `name%40host`: some programs read it as an email address or a link to the host, others reject it. We never
 * write anything this way. In a query, it stands for a value.
 */
function classifyEscapedAt(text: string, known: Known): Judged | undefined {
  if (!/^[^?]*%40/i.test(text)) return undefined
  const found = judgeOne(text.replaceAll(/%40/gi, '@'), known)
  return found && { ...found, official: null, signs: [signOf('escaped', text), ...found.signs] }
}

const looksLikeLink = (text: string): boolean =>
  /^[a-z][a-z\d+.-]*:(?:\/\/|\\\\)/i.test(text) ||
  text.startsWith('//') ||
  /^[^\s/?#@:]+(?::[^\s/?#@]*@[^\s/?#@:]+|@[^\s/?#@:]+)?\.[^\s/?#@:.]{2,}\.?(?::\d+)?(?:[/?#\\]|$)/u.test(
    text,
  ) ||
  /^localhost(?::\d+)?(?:\/|$)/i.test(text)

const isLinkLike = (pasted: string): boolean => {
  const text = refanged(unwrapped(pasted))
  return looksLikeLink(text) || /^tg:/i.test(text)
}

function readHandle(text: string): PastedHandle | undefined {
  for (const { form, ...place } of handleForms) {
    const name = form.exec(text)?.[1]
    if (name !== undefined) return { ...place, name: name.toLowerCase() }
  }
  return undefined
}

const handleForms = [
  // Only the name is allowed: programs may follow another part, or the first name.
  { network: 'telegram', space: '', form: /^tg:(?:\/\/)?resolve\/?\?domain=(\w+)$/i },
  { network: undefined, space: '', form: /^@([^\s@/?#:]{2,64})$/u },
  { network: 'reddit', space: 'r', form: /^\/?r\/([\w-]{2,40})\/?$/i },
  { network: 'reddit', space: '', form: /^\/?u\/([\w-]{2,40})\/?$/i },
  { network: 'discord', space: 'tag', form: /^([^\s@#:]{2,32})#\d{4}$/u },
]

/**
 * Returns the most suspicious piece of a longer text. Such a text never counts as ours, because the rest may say
 * anything.
 */
function classifyWithin(parts: readonly string[], known: Known): Judged {
  const pieces = parts.flatMap(piecesOf).filter(hasReadableText)
  const leaves = pieces.flatMap(innerOf)
  const found = [...new Set([...pieces, ...leaves])]
    .filter((piece) => /[.@:/。．＠：／]|^0x|\d{6}|%40/i.test(piece) || isCoinLike(piece, known))
    .slice(0, piecesMax)
    .flatMap((piece) => classifyPart(piece, known) ?? [])
  const gravest = found.find(isGrave) ?? found[0]
  if (!gravest) return judged('text', {})
  if (leaves.length === 1) return gravest
  const signs = gravest.signs.filter(({ sign }) => sign !== 'several')
  return {
    ...gravest,
    leadsTo: isGrave(gravest) ? gravest.leadsTo : null,
    official: null,
    keys: keysOf(found),
    signs: [...signs, signOf('several', String(leaves.length))],
  }
}

const isCoinLike = (piece: string, known: Known): boolean =>
  piece.length >= 14 && classifyCoinAddress(piece, known) !== undefined

export const answerOf = (
  { kind, shown, leadsTo, isDisguised, official, signs }: ClassifiedText,
  known: OfficialAnswer['known'],
): OfficialAnswer => ({
  verdict: known ? 'false' : official ? 'official' : 'unknown',
  kind,
  shown,
  leadsTo,
  isDisguised,
  official: known || !official ? null : { role: official.role, name: official.name, value: official.value },
  known,
  signs: signs.map(({ sign, detail, ours }) => ({ sign, detail, ours })),
})
