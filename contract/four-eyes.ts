import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'

/** What two people decide together, each by its own setting. */
export const fourEyesAreas = ['orders', 'sale', 'content', 'identity'] as const
export type FourEyesArea = (typeof fourEyesAreas)[number]

/** From so many tokens on an order takes two people where no setting says otherwise and two can approve. */
export const automaticOrderThreshold = '10000'

export const fourEyesState = z.object({
  area: z.enum(fourEyesAreas),
  isOn: z.boolean(),
  /** Decided by the setting, or, without one, by how many people can approve. */
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
