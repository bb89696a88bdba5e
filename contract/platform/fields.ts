import * as z from 'zod/mini'
import { languages, type Language } from './languages.ts'
import {
  birthDatePattern,
  emailLengthMax,
  emailPattern,
  passwordLengthMax,
  phonePattern,
} from './patterns.ts'

export {
  birthDatePattern,
  decimalPattern,
  emailLengthMax,
  emailPattern,
  passwordLengthMax,
  phonePattern,
} from './patterns.ts'

export const KIB = 1024
export const MIB = 1024 * KIB

export const nameLengthMax = 100
const phoneLengthMax = 40
/** The lowest minimum that an installation can have; `PASSWORD_MIN_LENGTH` raises it. */
export const passwordLengthMin = 5
/** The minimum for every account with a staff right. */
export const staffPasswordLengthMin = 12

export const pageSizeDefault = 20
export const pageSizeMax = 100

export type { Language }
export const language = z.enum(languages)

/** ISO 8601, UTC. */
export const time = z.string()
/** A time that the server returned earlier. `Date` accepts February 30, but PostgreSQL rejects it. */
export const timeInput = z.string().check(
  z.regex(/^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'invalid'),
  z.refine((value) => !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value, 'invalid'),
)

/** A UTC day, `2036-05-01`. */
export const day = z.string().check(
  z.regex(/^[12]\d{3}-\d\d-\d\d$/, 'date'),
  z.refine((value) => {
    const at = new Date(`${value}T00:00:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === value
  }, 'date'),
)

/** Accepts an empty value, or a valid one. */
const isNoneOr = (field: z.ZodMiniType) => (value: string) => value === '' || field.safeParse(value).success

/** The maximum age of a person, in years. */
const ageMax = 120
/**
 * A calendar day such as `2000-12-31`, not in the future and not more than `ageMax` years ago. The server
 * checks the minimum age.
 */
export const birthDate = z.string().check(
  z.trim(),
  z.minLength(1, 'required'),
  z.maxLength(10, 'too_long'),
  z.regex(birthDatePattern, 'date'),
  z.refine((value) => {
    const at = new Date(`${value}T00:00:00Z`)
    if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== value) return false
    const years = new Date().getUTCFullYear() - at.getUTCFullYear()
    return at.getTime() <= Date.now() && years <= ageMax
  }, 'date'),
)

/** The same in a record that is sent back as it was read. Empty if there is none. */
export const birthDateOrNone = z
  .string()
  .check(z.trim(), z.maxLength(10, 'too_long'), z.refine(isNoneOr(birthDate), 'date'))

/** Trimmed and lower-cased, then checked. */
export const email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, 'required'),
    z.maxLength(emailLengthMax, 'too_long'),
    z.regex(emailPattern, 'email'),
  )
export const emailOrNone = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(emailLengthMax, 'too_long'),
    z.refine(isNoneOr(email), 'email'),
  )

/** PostgreSQL cannot store NUL, and a single line has no other control characters either. */
const singleLine = z.regex(/^[^\p{Cc}]*$/u, 'invalid')
/** PostgreSQL cannot store half of a surrogate pair in JSON. */
const storableLine = z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'invalid')

/** An opaque ID, created by the server and only compared. */
export const id = z.string().check(z.minLength(1, 'required'), z.maxLength(64, 'too_long'), singleLine)

export const line = (lengthMax: number) =>
  z.string().check(z.trim(), z.maxLength(lengthMax, 'too_long'), storableLine)
export const requiredLine = (lengthMax: number) =>
  z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(lengthMax, 'too_long'), storableLine)

/** The visible part of a reason: without invisible characters, and empty if it has no letter or digit. */
function visibleReason(text: string): string {
  const visible = text.replaceAll(/[\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]/gu, '').trim()
  return /[\p{L}\p{N}]/u.test(visible) ? visible : ''
}
/** An optional reason. Empty text counts as none. */
export const reasonLine = (lengthMax: number) =>
  z.string().check(z.overwrite(visibleReason), z.maxLength(lengthMax, 'too_long'), storableLine)
export const requiredReason = (lengthMax: number) =>
  z
    .string()
    .check(
      z.overwrite(visibleReason),
      z.minLength(1, 'required'),
      z.maxLength(lengthMax, 'too_long'),
      storableLine,
    )
// oxlint-disable-next-line no-control-regex -- NUL is exactly what must be rejected
export const text = (lengthMax: number) =>
  z.string().check(z.maxLength(lengthMax, 'too_long'), z.regex(/^[^\0]*$/, 'invalid'))

/** Text without surrounding spaces that is not empty. */
export const requiredText = (lengthMax: number) => text(lengthMax).check(z.trim(), z.minLength(1, 'required'))

/** The maximum length of an address on a blockchain. */
export const addressLengthMax = 128
export const chainAddress = line(addressLengthMax)
export const personName = line(nameLengthMax)
export const phone = z
  .string()
  .check(z.trim(), z.maxLength(phoneLengthMax, 'too_long'), z.regex(phonePattern, 'invalid'))

/** Minimum length in code points (NIST SP 800-63B). The problem includes the minimum, for its message. */
export const atLeast = (minimum: number) =>
  z.refine<string>((value) => [...value].length >= minimum, { error: 'too_short', params: { minimum } })
const atMost = (maximum: number) =>
  z.refine<string>((value) => [...value].length <= maximum, { error: 'too_long', params: { maximum } })

/** Accepts any Unicode text. */
export const newPassword = z
  .string()
  .check(z.minLength(1, 'required'), atLeast(passwordLengthMin), atMost(passwordLengthMax))
export const currentPassword = z
  .string()
  .check(z.minLength(1, 'required'), z.maxLength(2 * passwordLengthMax, 'too_long'))

/** An emailed code as typed: case, spaces, and dashes do not matter. */
export const mailedCode = z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(128, 'too_long'))

/** A code of the authenticator app, or a recovery code. */
export const factorCode = z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(40, 'too_long'))

/** Limits a work list to what the caller can act on: neither their own records nor their own proposals. */
export const waitingFor = z.optional(z.literal('me', 'one_of'))

/** The IDs of selected records, separated by commas. */
export const selectedIds = z.optional(
  z.string().check(z.regex(/^[\w-]{1,64}(?:,[\w-]{1,64}){0,99}$/, 'invalid')),
)

/** `?limit=` and `?after=`. The response header `Link: <…>; rel="next"` contains the next `after`. */
export const page = z.strictObject({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(pageSizeMax)), pageSizeDefault),
  after: z.optional(z.string().check(z.maxLength(200))),
})

export const done = <Name extends string>(name: Name) =>
  z.object({ [name]: z.literal(true) } as { [N in Name]: z.ZodMiniLiteral<true> })
export const noBody = z.optional(z.nullable(z.strictObject({})))
