import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'

/** Areas in which four-eyes approval applies, each with its own setting. */
export const fourEyesAreas = ['orders', 'sale', 'content', 'identity'] as const
export type FourEyesArea = (typeof fourEyesAreas)[number]

/**
 * From this quantity of tokens, an order requires four-eyes approval if no setting says otherwise and two
 * people can approve.
 */
export const automaticOrderThreshold = '10000'

/** How many times the threshold one finance member completes alone within 24 hours, payments that the chain shows aside. */
export const aloneFactor = 5

/**
 * Why completing an order takes two people: its quantity (also an unknown one), what the officer completed alone within
 * 24 hours, or because nothing was received.
 */
export const secondPersonCauses = ['quantity', 'daily_total', 'nothing_received'] as const
export type SecondPersonCause = (typeof secondPersonCauses)[number]

export const fourEyesState = z.object({
  area: z.enum(fourEyesAreas),
  isOn: z.boolean(),
  /** Decided by the setting or, without one, by the number of people who can approve. */
  cause: z.enum(['setting', 'staff']),
  /** The people who can approve now. */
  approvers: z.number(),
})
export type FourEyesState = z.infer<typeof fourEyesState>

export const listFourEyes = endpoint('GET', 'admin/four-eyes', {
  about: 'Which decisions take two people now, and why not where they do not.',
  access: staff('any'),
  output: z.array(fourEyesState),
})
