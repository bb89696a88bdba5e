import { z } from 'zod'

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag
  } catch {
    return false
  }
}

const tag = z.string().refine(isTag, 'must be a BCP 47 language tag, such as es or es-MX')

const entry = z.strictObject({
  name: z.string().trim().min(1).max(40),
  tag,
  locale: tag,
  /** Two letters first, because no page's address starts that way. */
  prefix: z.string().regex(/^$|^\/[a-z]{2}(-[a-z]{2,4})?$/, 'must be a prefix such as /es'),
})

/** The languages of the site, in the order offered. */
export const siteLanguages = z
  .record(z.string().regex(/^[a-z]{2,3}$/, 'must be two or three lowercase letters'), entry)
  .superRefine((given, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (Object.keys(given)[0] !== 'en') refuse([], 'English must come first')
    if (!given['cn']) refuse(['cn'], 'Chinese is missing')
    const taken = { tag: new Set<string>(), prefix: new Set<string>() }
    for (const [code, one] of Object.entries(given)) {
      if ((one.prefix === '') !== (code === 'en')) refuse([code, 'prefix'], 'can be empty only for English')
      for (const part of ['tag', 'prefix'] as const) {
        if (taken[part].has(one[part])) refuse([code, part], 'stands twice')
        taken[part].add(one[part])
      }
    }
  })
