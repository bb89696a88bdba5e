import * as z from 'zod/mini'

const match = z.object({
  provider: z.string(),
  list: z.string(),
  name: z.string(),
  born: z.string(),
  /** From 0 to 100. */
  score: z.number(),
  /**
   * The list has a different date of birth than the applicant stated. The match ranks lower, and an officer
   * must rule it out.
   */
  isBornOtherwise: z.boolean(),
})

const screeningStates = ['no_list', 'unreadable', 'compared'] as const

export const screening = z.object({
  /** Without a readable list nothing was compared, which is not the same as no match. */
  state: z.enum(screeningStates),
  lists: z.array(
    z.object({
      name: z.string(),
      /** As `2000-12-31`. */
      date: z.string(),
      entries: z.number(),
      /** Older than the installation accepts as current. */
      isOld: z.boolean(),
    }),
  ),
  matches: z.array(match),
  /** The name is too long to compare in full: only its beginning was compared. */
  isPartial: z.boolean(),
  /** Identifies the result. Officers send it back to confirm what they read. */
  hash: z.string(),
})
export type Screening = z.infer<typeof screening>
