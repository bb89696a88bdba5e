import * as z from 'zod/mini'
import { anyone, endpoint, member } from '../platform/endpoint.ts'
import { id, line, MIB, noBody, text, time } from '../platform/fields.ts'

/** Why staff returned a profile, hid it, or ended an ambassadorship. The ambassador can read it. */
export const boardReason = text(1000).check(z.trim(), z.minLength(1, 'required'))

export const ambassadorProfileStates = ['draft', 'submitted', 'returned', 'approved'] as const
export type AmbassadorProfileState = (typeof ambassadorProfileStates)[number]

/** Languages that an ambassador may name (ISO 639-1). */
export const spokenLanguages = [
  'en',
  'zh',
  'ar',
  'bn',
  'cs',
  'da',
  'de',
  'el',
  'es',
  'fa',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'km',
  'ko',
  'ms',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
  'sw',
  'ta',
  'th',
  'tl',
  'tr',
  'uk',
  'ur',
  'vi',
] as const
export const spokenLanguagesMax = 8

/**
 * A page on another site, with a domain name. Other schemes could run code, and a user name in the URL could
 * mislead readers.
 */
const httpsAddress =
  /^https:\/\/(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}\p{N}-]{2,63}(?::\d{1,5})?(?:[/?#][^\s\\]*)?$/iu
/** Empty, or a page on another site. */
export const profileLink = line(300).check(
  z.refine((value) => value === '' || httpsAddress.test(value), 'invalid'),
)

/** An ambassador's profile texts in one language. */
export const profileWords = z.strictObject({ name: line(100), place: line(100), sentence: line(300) })
export type ProfileWords = z.infer<typeof profileWords>

const languagesSpoken = z.array(z.enum(spokenLanguages, 'one_of')).check(
  z.maxLength(spokenLanguagesMax, 'too_many'),
  z.refine((all) => new Set(all).size === all.length, 'invalid'),
)

export const ambassadorPictureBytesMax = 10 * MIB
/** Pictures are square and stored in each of these widths (pixels), up to their own width. */
export const ambassadorPictureWidths = [128, 512] as const

const givenPicture = z.string().check(
  z.maxLength(Math.ceil((ambassadorPictureBytesMax * 4) / 3) + 100, 'too_long'),
  z.refine((value) => value === '' || /^data:[a-z+./-]*;base64,/.test(value), 'picture'),
)

/** A public ambassador. `photo` is the address of the photo on this site. */
const publicAmbassador = z.object({
  slug: z.string(),
  name: z.object({ en: z.string(), cn: z.string() }),
  place: z.object({ en: z.string(), cn: z.string() }),
  link: z.string(),
  photo: z.nullable(z.string()),
})

/** The maximum number of ambassadors on the page, in the order set by staff. */
export const listedAmbassadorsMax = 200

export const listAmbassadors = endpoint('GET', 'ambassadors', {
  about: `List the public ambassadors in display order, up to ${listedAmbassadorsMax}.`,
  access: anyone,
  output: z.array(publicAmbassador),
})

/** The public page of an ambassador. Once ended or hidden, it has only the name and the start date. */
const ambassadorPage = z.object({
  slug: z.string(),
  name: z.object({ en: z.string(), cn: z.string() }),
  since: time,
  endedAt: z.nullable(time),
  profile: z.nullable(
    z.object({
      place: z.object({ en: z.string(), cn: z.string() }),
      sentence: z.object({ en: z.string(), cn: z.string() }),
      languages: z.array(z.string()),
      link: z.string(),
      photo: z.nullable(z.string()),
    }),
  ),
})
export type AmbassadorPage = z.infer<typeof ambassadorPage>

export const getAmbassador = endpoint('GET', 'ambassadors/:slug', {
  about: 'Check whether someone is an ambassador and since when, and get the contents of their page.',
  access: anyone,
  params: z.strictObject({ slug: line(100) }),
  output: ambassadorPage,
  errors: ['not_found'],
})

export const profileVersion = z.object({
  state: z.enum(ambassadorProfileStates),
  en: profileWords,
  cn: profileWords,
  link: z.string(),
  languages: z.array(z.string()),
  /** A data URL, because the picture may not be public yet. */
  picture: z.nullable(z.string()),
  /** Why the reviewer returned it. */
  reason: z.string(),
  updatedAt: time,
})
export type ProfileVersion = z.infer<typeof profileVersion>

const ownAmbassador = z.object({
  /**
   * `unproved`: the account's email address is not verified, whether or not there is an invitation. `invited`: an
   * invitation is pending. `none`: there is no invitation.
   */
  state: z.enum(['none', 'unproved', 'invited', 'joined']),
  ambassador: z.nullable(
    z.object({
      id,
      since: time,
      slug: z.nullable(z.string()),
      code: z.string(),
      standing: z.enum(['active', 'hidden', 'ended']),
      /** Why staff hid the profile or ended the ambassadorship. */
      reason: z.string(),
      approved: z.nullable(profileVersion),
      /** The version in progress: a draft, a submitted version, or a returned one. */
      inWork: z.nullable(profileVersion),
    }),
  ),
})
export type OwnAmbassador = z.infer<typeof ownAmbassador>

export const getOwnAmbassador = endpoint('GET', 'members/ambassador', {
  about: 'Get the caller’s ambassador status or pending invitation, and their profile.',
  access: member,
  output: ownAmbassador,
})

export const joinAsAmbassador = endpoint('POST', 'members/ambassador/join', {
  about:
    'Accept the invitation that was emailed to the account’s address, which must be verified. The ambassador is then linked to the account.',
  access: member,
  body: noBody,
  output: ownAmbassador,
  errors: ['not_found', 'conflict'],
})

export const saveAmbassadorProfile = endpoint('POST', 'members/ambassador/profile', {
  about:
    'Save the caller’s profile as a draft or, with `submit`, submit it for review. `picture` is a data URL of a JPEG, PNG, WebP, or HEIC picture; send an empty string to remove the picture, or omit the field to keep it. `basedOn` is the time when the edited version was saved, or null for the first version. Another value returns `conflict`.',
  access: member,
  bodyBytesMax: 14 * MIB,
  acceptsFiles: { countMax: 1, bytesMax: ambassadorPictureBytesMax },
  body: z.strictObject({
    en: profileWords,
    cn: profileWords,
    link: profileLink,
    languages: languagesSpoken,
    picture: z.optional(givenPicture),
    basedOn: z.nullable(z.string().check(z.maxLength(40))),
    submit: z.boolean(),
  }),
  output: ownAmbassador,
  errors: ['not_found', 'conflict'],
})
