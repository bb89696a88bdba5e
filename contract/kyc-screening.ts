import * as z from 'zod/mini'

const match = z.object({
  provider: z.string(),
  list: z.string(),
  name: z.string(),
  born: z.string(),
  /** From 0 to 100. */
  score: z.number(),
  /** The list has another date of birth than the applicant states: it stands lower, and is left for the officer to rule out. */
  isBornOtherwise: z.boolean(),
})

const screeningStates = ['no_list', 'unreadable', 'compared'] as const

export const screening = z.object({
  /** Without a list, or with one that cannot be read, nothing was compared: that is not the same as no match. */
  state: z.enum(screeningStates),
  lists: z.array(
    z.object({
      name: z.string(),
      /** As `2000-12-31`. */
      date: z.string(),
      entries: z.number(),
      /** Longer ago than the installation takes for current. */
      isOld: z.boolean(),
    }),
  ),
  matches: z.array(match),
  /** The name is longer than can be compared: only its beginning was. */
  isPartial: z.boolean(),
  /** Stands for what was found; sent back by whoever has read it. */
  hash: z.string(),
})
export type Screening = z.infer<typeof screening>
