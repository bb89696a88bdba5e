import { signOf } from './clean-text.ts'
import type { Judged } from './judged.ts'
import type { Known } from './ours.ts'
import { isNear } from './skeleton.ts'

export type ReadPhone = { digits: string; isInternational: boolean }

const fewest = 6
const most = 15

/** A number in whatever notation: `+1 (555) 0100`, `tel:+1-555-0100`, `001.555.0100`, in digits of any script. */
export function readPhone(text: string): ReadPhone | undefined {
  const plain = text
    .replace(/^(?:tel|sms|callto|fax|phone|whatsapp):(?:\/\/)?/i, '')
    .replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
    .replace(/[,;](?:phone-context|ext|isub)=.*$|\s*(?:ext\.?|x|#)\s*\d{1,6}$/i, '')
    .trim()
  if (!/^[+(]?[\d\s().\-/·‐-―−]*$/u.test(plain) || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(plain)) return undefined
  const trunk = plain.replace(/\(0\)/, '')
  const isInternational = /^\(?\s*(?:\+|00)/.test(trunk)
  const digits = trunk.replaceAll(/\D/g, '').replace(isInternational ? /^00/ : /$^/, '')
  return digits.length < fewest || digits.length > most ? undefined : { digits, isInternational }
}

/** Digits of every script stand in tens, from zero on. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0)!
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code < 58 ? code - 48 : (code - zero) % 10
}

const localMin = 7

export function judgePhone({ digits, isInternational }: ReadPhone, known: Known): Judged {
  const base = { kind: 'phone' as const, leadsTo: null, keys: [`phone:${digits}`] }
  const whole = known.phones.find((ours) => ours.digits === digits)
  if (whole) return { ...base, official: whole.entry, signs: [] }
  const local = digits.replace(/^0/, '')
  const part = known.phones.find(
    (ours) =>
      !isInternational &&
      local.length >= localMin &&
      ours.digits.endsWith(local) &&
      ours.digits.length - local.length <= 3,
  )
  if (part) return { ...base, official: part.entry, signs: [signOf('no_country_code', '', part.entry.value)] }
  const near = known.phones.find((ours) => isNear(ours.digits, digits, 1))
  return { ...base, official: null, signs: near ? [signOf('near_miss', digits, near.entry.value)] : [] }
}
