import * as z from 'zod/mini'
import { applyAsAmbassador } from '#contract/ambassadors.ts'

const { email, fullName, city, country, socialMedia, description } = applyAsAmbassador.body.shape

/** Commas of either script, and the Chinese mark between the parts of a list. */
const separators = /[,，、]/

const names = z.pipe(
  z.string(),
  z.transform((list: string): string[] | undefined =>
    list
      .split(separators)
      .map((name) => name.trim())
      .filter(Boolean),
  ),
)

/** What is typed into the form, and the body of the call that becomes of it. */
export const application = z.pipe(
  z.object({
    email,
    name: fullName,
    city,
    country,
    social: z.pipe(names, socialMedia),
    why: description,
  }),
  z.transform(({ name, social, why, ...same }) => ({
    ...same,
    fullName: name,
    socialMedia: social,
    description: why,
  })),
)
