import * as z from 'zod/mini'

const match = z.object({
  provider: z.string(),
  list: z.string(),
  name: z.string(),
  born: z.string(),
  /** Match score from 0 to 100. */
  score: z.number(),
  /**
   * The list has a different date of birth than the applicant stated. The match ranks lower, but a reviewer must still
   * rule it out.
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
      /** Date of the list, such as `2000-12-31`. */
      date: z.string(),
      entries: z.number(),
      /** Whether the list is older than the installation accepts as current. */
      isOld: z.boolean(),
    }),
  ),
  matches: z.array(match),
  /** The name is too long to compare in full, so only its beginning was compared. */
  isPartial: z.boolean(),
  /** Identifies the result. Reviewers send it back to confirm what they read. */
  hash: z.string(),
})
export type Screening = z.infer<typeof screening>
