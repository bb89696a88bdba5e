import * as z from 'zod/mini'
import { applyAsAmbassador } from '#contract/ambassadors.ts'

const { email, fullName, city, country, socialMedia, description } = applyAsAmbassador.body.shape

/** Western and Chinese commas, and the Chinese enumeration comma. */
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

/** The form's fields, and the request body built from them. */
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
