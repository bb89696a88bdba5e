import * as z from 'zod/mini'
import { endpoint, member } from '../platform/endpoint.ts'

/** Why a sign-up by invitation does not count. */
export const invitationFlags = [
  'own_mailbox',
  'own_browser',
  'own_network',
  'loop',
  'throwaway_domain',
  'subaddress',
  'same_mailbox',
] as const
export type InvitationFlag = (typeof invitationFlags)[number]

/** The steps of an invited sign-up, in order. Each can earn points. */
export const invitationCauses = ['signup', 'activation', 'identity'] as const
export type InvitationCause = (typeof invitationCauses)[number]

/** The maximum number of weeks that are listed individually. */
export const listedWeeksMax = 26

const figures = { signUps: z.int(), activations: z.int(), identities: z.int() }
export const invitationFigures = z.object(figures)
export type InvitationFigures = z.infer<typeof invitationFigures>

const ambassadorResults = z.object({
  code: z.string(),
  /** Whether new sign-ups count. They do until the ambassadorship ends. */
  isCounting: z.boolean(),
  totals: invitationFigures,
  /** Completed weeks only, by their Monday (UTC), oldest first. */
  weeks: z.array(z.object({ week: z.string(), ...figures })),
  points: z.object({
    total: z.int(),
    /** Points that each cause earns now. */
    rules: z.object({ signup: z.int(), activation: z.int(), identity: z.int() }),
    /** The points ledger by week, newest first. */
    entries: z.array(
      z.object({
        week: z.string(),
        cause: z.enum(invitationCauses),
        /** Points were deducted. */
        isReversal: z.boolean(),
        count: z.int(),
        points: z.int(),
      }),
    ),
  }),
})
export type AmbassadorResults = z.infer<typeof ambassadorResults>

export const getAmbassadorResults = endpoint('GET', 'members/ambassador/results', {
  about:
    'Get the results of the caller’s invitations: sign-ups, activations, and identity approvals by week, and points. The response never names people, and a week is included only once it is over.',
  access: member,
  output: ambassadorResults,
  errors: ['not_found'],
})
