import { disguises, type OfficialAnswer } from '#contract/official.ts'
import { cleanText, refanged, signOf, type Sign } from './clean-text.ts'
import { judgeCoin, readCoin } from './judge-coin.ts'
import { judgeEmail, readEmail } from './judge-email.ts'
import { judgeHandle } from './judge-handle.ts'
import type { Judged } from './judged.ts'
import { judgeLink } from './judge-link.ts'
import { judgePhone, readPhone } from './judge-phone.ts'
import type { Known } from './ours.ts'
import { dangerousScheme } from './read-link.ts'

/** Of what is pasted with words around it so many pieces are looked at. */
const piecesMax = 40

export type JudgedText = Judged & { shown: string; isDisguised: boolean }

/** Finds out what a pasted text is, and whether it is ours. Nothing that is dressed up is. */
export function judgePasted(given: string, known: Known): JudgedText {
  const { text, shown, signs } = cleanText(given)
  const judged = judgeOne(text, known) ?? judgeWithin(text, known)
  // Digits of other scripts are no disguise of a number.
  const seen = judged.kind === 'phone' ? [] : signs
  const all = ordered([...seen, ...judged.signs])
  const isDisguised = all.some(({ sign }) => grave.has(sign))
  return { ...judged, official: isDisguised ? null : judged.official, signs: all, shown, isDisguised }
}

const grave: ReadonlySet<string> = new Set(disguises)
const ordered = (signs: readonly Sign[]): Sign[] =>
  signs.toSorted((one, other) => Number(grave.has(other.sign)) - Number(grave.has(one.sign)))

function judgeOne(pasted: string, known: Known): Judged | undefined {
  const text = refanged(unwrapped(pasted))
  if (text === '') return undefined
  if (dangerousScheme(text) !== undefined) return judgeLink(text, known)
  const isSpaced = /\s/.test(text)
  const coin = isSpaced ? undefined : readCoin(text)
  if (coin) return judgeCoin(coin, known)
  const phone = readPhone(text) ?? phoneIn(text)
  if (phone) return judgePhone(phone, known)
  const mail = text.replace(/^mailto:/i, '').replace(/(?<=@[^?]*)\?.*$/, '')
  const email = text.includes('@') && !/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? readEmail(mail) : undefined
  if (email) return judgeEmail(email, known)
  if (isSpaced) return undefined
  const handle = readHandle(text)
  if (handle) return judgeHandle(handle, known)
  return looksLikeLink(text) ? judgeLink(text, known) : undefined
}

/** Without quotes and brackets around it, and the end of a sentence behind. */
const unwrapped = (text: string): string =>
  text
    .replace(/^[\s"'“”‘’«»「」《([]+/u, '')
    .replace(/[\s"'“”‘’«»「」》,;:!?、，；：！？]+$/u, '')
    .replace(/^<([^<>@]+)>$/, '$1')
    .replace(/(?<=[^\s.])\.$/, '')
    .replace(/(?<=^[^(]*)\)$/, '')
    .replace(/(?<=^[^[]*)\]$/, '')

const looksLikeLink = (text: string): boolean =>
  /^[a-z][a-z\d+.-]*:(?:\/\/|\\\\)/i.test(text) ||
  text.startsWith('//') ||
  /^[^\s/?#@:]+(?::[^\s/?#@]*@[^\s/?#@:]+|@[^\s/?#@:]+)?\.[^\s/?#@:.]{2,}\.?(?::\d+)?(?:[/?#\\]|$)/u.test(
    text,
  ) ||
  /^localhost(?::\d+)?(?:\/|$)/i.test(text)

function readHandle(text: string) {
  const telegram = /^tg:\/\/resolve\?(?:[^#]*&)?domain=([\w.]+)/i.exec(text)
  if (telegram) return { network: 'telegram', name: telegram[1]!.toLowerCase() }
  const named = /^@([^\s@/?#:]{2,64})$/u.exec(text)
  if (named) return { network: undefined, name: named[1]!.toLowerCase() }
  const reddit = /^\/?[ru]\/([\w-]{2,40})\/?$/i.exec(text)
  if (reddit) return { network: 'reddit', name: reddit[1]!.toLowerCase() }
  const discord = /^([^\s@#:]{2,32})#\d{4}$/u.exec(text)
  if (discord) return { network: 'discord', name: discord[1]!.toLowerCase() }
  return undefined
}

const phoneIn = (text: string) => {
  const number =
    /^(?:https?:\/\/)?(?:wa\.me|api\.whatsapp\.com\/send\/?\?phone=)\/?(?:%2b|\+)?(\d{6,15})/i.exec(text)?.[1]
  return number === undefined ? undefined : readPhone(`+${number}`)
}

/** Of a text with words around, the one thing in it that is something. */
function judgeWithin(text: string, known: Known): Judged {
  const pieces = text.split(/[\s<>"“”「」]+/u).slice(0, piecesMax)
  const found = pieces.flatMap((piece) => {
    const judged = /[.@:/]|^0x|\d{6}/.test(piece) || readCoin(piece) ? judgeOne(piece, known) : undefined
    return judged ? [judged] : []
  })
  const gravest = found.find(({ signs }) => signs.some(({ sign }) => grave.has(sign))) ?? found[0]
  if (!gravest) return { kind: 'text', leadsTo: null, official: null, signs: [], keys: [] }
  if (found.length === 1) return gravest
  const keys = [...new Set(found.flatMap((each) => each.keys))].slice(0, 200)
  return {
    ...gravest,
    official: null,
    keys,
    signs: [...gravest.signs, signOf('several', String(found.length))],
  }
}

export const answerOf = (
  { kind, shown, leadsTo, isDisguised, official, signs }: JudgedText,
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
