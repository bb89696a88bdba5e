import { signOf } from './clean-text.ts'
import { judged, type Judged, type Known } from './official-channel.ts'
import { readLink } from './read-link.ts'
import { isNear } from './skeleton.ts'

type ReadPhone = { digits: string; isInternational: boolean }

const fewest = 6
const most = 15

/**
 * Parses a phone number in any notation: `+1 (555) 0100`, `tel:+1-555-0100`, `001.555.0100`, in digits of any script.
 */
export function readPhone(text: string): ReadPhone | undefined {
  const [, given = '', behind = ''] =
    /^([^;,]*)(.*)$/s.exec(text.replace(/^(?:tel|sms|callto|fax|phone|whatsapp):(?:\/\/)?/i, '')) ?? []
  const context = contextIn(behind)
  if (context === undefined) return undefined
  const plain = given
    .replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
    .replace(/\s*(?:ext\.?|x|#)\s*\d{1,6}$/i, '')
    .trim()
  if (!/^[+(]?[\d\s().\-/·‐-―−]*$/u.test(plain) || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(plain)) return undefined
  const trunk = plain.replace(/\(0\)/, '')
  const isInternational = /^\(?\s*(?:\+|00)/.test(trunk)
  // A complete number needs no context; having both is contradictory.
  if (isInternational && context !== '') return undefined
  const digits = context + trunk.replaceAll(/\D/g, '').replace(isInternational ? /^00/ : /$^/, '')
  if (digits.length < fewest || digits.length > most) return undefined
  return { digits, isInternational: isInternational || context !== '' }
}

/** Returns the digits that a `tel:` link adds before a number (RFC 3966); `undefined` if it has other parameters. */
function contextIn(behind: string): string | undefined {
  let context = ''
  for (const each of behind.split(/[;,]/).slice(1)) {
    const [, name, value = ''] = /^(ext|isub|phone-context)=([+\w.-]+)$/i.exec(each) ?? []
    if (name === undefined) return undefined
    if (name.toLowerCase() !== 'phone-context') continue
    if (context !== '' || !/^\+[\d.-]+$/.test(value)) return undefined
    context = value.replaceAll(/\D/g, '')
  }
  return context
}

/** Returns the number in a WhatsApp link, if the link contains nothing else. */
export function phoneInLink(text: string): ReadPhone | undefined {
  const link = /^(?:https?:\/\/)?(?:wa\.me|api\.whatsapp\.com)\//i.test(text) ? readLink(text) : undefined
  if (!link || link.signs.length > 0 || link.port !== '' || link.hash !== '') return undefined
  const isOf = (names: RegExp) => [...link.search.keys()].every((name) => names.test(name))
  const numbers = link.search.getAll('phone')
  const number =
    link.host === 'wa.me' && isOf(/^(?:text|lang)$/)
      ? /^\/(?:\+|%2b)?(\d{6,15})$/i.exec(link.path)?.[1]
      : link.host === 'api.whatsapp.com' &&
          link.path === '/send' &&
          numbers.length === 1 &&
          isOf(/^(?:phone|text|lang|type|app_absent)$/)
        ? /^[+ ]?(\d{6,15})$/.exec(numbers[0]!)?.[1]
        : undefined
  return number === undefined ? undefined : { digits: number, isInternational: true }
}

/** In every script, digits are encoded in blocks of ten, starting with zero. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0)!
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code < 58 ? code - 48 : (code - zero) % 10
}

const localMin = 7
const missingMax = 3

export function classifyPhone({ digits, isInternational }: ReadPhone, known: Known): Judged {
  const keys = [`phone:${digits}`]
  const whole = isInternational && known.phones.find((ours) => ours.digits === digits)
  if (whole) return judged('phone', { keys, official: whole.entry })
  const local = digits.replace(/^0/, '')
  const part = known.phones.find(
    (ours) =>
      !isInternational &&
      local.length >= localMin &&
      ours.digits.endsWith(local) &&
      ours.digits.length - local.length <= missingMax,
  )
  // Without the country code, it is a different number in each country.
  if (part) return judged('phone', { keys, signs: [signOf('no_country_code', '', part.entry.value)] })
  const near = known.phones.find((ours) => isNear(ours.digits, digits, 1))
  return judged('phone', { keys, signs: near ? [signOf('near_miss', digits, near.entry.value)] : [] })
}
