import * as z from 'zod/mini'
import { boardReason, profileVersion, profileWords } from './ambassador-profiles.ts'
import { invitationFigures, invitationFlags } from './ambassador-results.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { id, line, time } from '../platform/fields.ts'
import { resource } from '../platform/resource.ts'

/**
 * `waiting`: submitted for review. `invited`: nobody has joined yet. `unwritten`: joined, but no profile has been
 * approved.
 */
export const ambassadorStandings = ['invited', 'unwritten', 'public', 'hidden', 'ended'] as const
export type AmbassadorStanding = (typeof ambassadorStandings)[number]

export const listedAmbassador = z.object({
  id,
  /** The public name in each language, otherwise the submitted one, otherwise the one from the application. */
  name: z.object({ en: z.string(), cn: z.string() }),
  slug: z.nullable(z.string()),
  standing: z.enum(ambassadorStandings),
  since: time,
  /** Position on the page, from 1. */
  place: z.nullable(z.number()),
  /** When the profile was submitted for review. */
  waitsSince: z.nullable(time),
  /** Null for the caller's own profile, as is `results`. */
  activations: z.nullable(z.int()),
  identities: z.nullable(z.int()),
  /** Number of invited sign-ups that do not count. */
  flagged: z.nullable(z.int()),
})
export type ListedAmbassador = z.infer<typeof listedAmbassador>

export const consoleAmbassador = z.object({
  ...listedAmbassador.shape,
  /** The address that the invitation was sent to, or that of the account. */
  email: z.string(),
  fullName: z.string(),
  memberId: z.nullable(id),
  applicationId: z.nullable(id),
  code: z.string(),
  reason: z.string(),
  /** Whether it is the caller's own profile, which others must decide on. */
  isOwn: z.boolean(),
  approved: z.nullable(profileVersion),
  submitted: z.nullable(profileVersion),
  /** Number of ambassadors on the page. */
  placeMax: z.number(),
  /**
   * Results of all invitations so far, and the number of sign-ups that do not count, by reason. Null for the caller's
   * own profile.
   */
  results: z.nullable(
    z.object({
      totals: invitationFigures,
      points: z.int(),
      flags: z.array(z.object({ flag: z.enum(invitationFlags), count: z.int() })),
    }),
  ),
})
export type ConsoleAmbassador = z.infer<typeof consoleAmbassador>

/** A decision about one ambassador, which returns them as changed. Reviewers cannot decide about themselves. */
const decision = {
  access: staff('employee', 2),
  params: z.strictObject({ id }),
  output: consoleAmbassador,
  errors: ['not_found', 'conflict'],
} as const

export const ambassadors = resource({
  path: 'admin/ambassadors/profiles',
  name: 'ambassador-profiles',
  about: 'List ambassadors with the status of their profiles, newest first.',
  access: staff('employee', 1),
  auditsAccess: 'ambassador',
  row: listedAmbassador,
  filters: {
    q: z.optional(line(100)),
    standing: z.optional(z.enum([...ambassadorStandings, 'waiting'], 'one_of')),
  },
  palette: 'q',
  detail: {
    about: 'Get one ambassador, with the published profile and the one that awaits review.',
    output: consoleAmbassador,
  },
})
export const { list: listConsoleAmbassadors, get: getConsoleAmbassador } = ambassadors

export const approveAmbassadorProfile = endpoint('POST', 'admin/ambassadors/profiles/:id/approve', {
  about:
    'Publish the submitted profile with the given texts. The reviewer can add the language that the ambassador does not speak. Reviewers cannot publish their own profile. `basedOn` identifies the reviewed version, and `from` is the ambassador’s status when it was read (active by default). Publishing makes a hidden ambassador visible again.',
  ...decision,
  body: z.strictObject({
    basedOn: time,
    en: profileWords,
    cn: profileWords,
    from: z.optional(z.enum(['active', 'hidden'], 'one_of')),
  }),
})

export const returnAmbassadorProfile = endpoint('POST', 'admin/ambassadors/profiles/:id/return', {
  about:
    'Return the submitted profile with a reason, which is emailed to the ambassador. The published profile stays unchanged. Reviewers cannot return their own profile.',
  ...decision,
  body: z.strictObject({ basedOn: time, reason: boardReason }),
})

export const setAmbassadorOrder = endpoint('POST', 'admin/ambassadors/profiles/:id/place', {
  about:
    'Move a public ambassador to a position on the page, counted from 1. Others move up or down. Reviewers cannot move themselves.',
  ...decision,
  body: z.strictObject({ place: z.int().check(z.gte(1), z.lte(100_000)) }),
})

export const setAmbassadorStatus = endpoint('POST', 'admin/ambassadors/profiles/:id/standing', {
  about:
    'Hide an ambassador, show a hidden one again, or end an ambassadorship. The reason is emailed. `from` is the ambassador’s status when it was read. Reviewers cannot change their own status.',
  ...decision,
  body: z.strictObject({
    from: z.enum(['active', 'hidden', 'ended']),
    to: z.enum(['active', 'hidden', 'ended']),
    reason: boardReason,
  }),
})
