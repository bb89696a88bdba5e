import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'

/** Areas in which four-eyes approval applies, each with its own setting. */
export const fourEyesAreas = ['orders', 'sale', 'content', 'identity'] as const
export type FourEyesArea = (typeof fourEyesAreas)[number]

/** Default threshold in tokens: from this quantity, an order requires four-eyes approval if two people can approve. */
export const automaticOrderThreshold = '10000'

/**
 * How many times the threshold one finance member can complete alone within 24 hours, not counting payments that are
 * proven on chain.
 */
export const aloneFactor = 5

/**
 * Why completing an order requires four-eyes approval: its quantity (or an unknown one), the total that the staff
 * member completed alone within 24 hours, because no payment was received or its price is unknown, because the staff
 * member entered the order, changed its price, quantity, or an address, or dismissed a statement line about it, or
 * because its recorded payment was removed.
 */
export const fourEyesCauses = ['quantity', 'daily_total', 'nothing_received', 'own_change'] as const
export type FourEyesCause = (typeof fourEyesCauses)[number]

const fourEyesState = z.object({
  area: z.enum(fourEyesAreas),
  isOn: z.boolean(),
  /** Whether the setting decides or, without one, the number of people who can approve. */
  cause: z.enum(['setting', 'staff']),
  /** The number of people who can approve now. */
  approvers: z.number(),
})
export type FourEyesState = z.infer<typeof fourEyesState>

export const listFourEyes = endpoint('GET', 'admin/four-eyes', {
  about: 'List the decisions that require four-eyes approval now and, for the others, why they don’t.',
  access: staff('any'),
  output: z.array(fourEyesState),
})
