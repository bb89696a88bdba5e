import * as z from 'zod/mini'
import { anyone, endpoint } from '../platform/endpoint.ts'
import { language } from '../platform/fields.ts'
import { languages, type Language } from '../platform/languages.ts'

/** The maximum number of files per request, which is more than any page needs at once. */
export const contentFilesMax = 12

const files = (name: string) =>
  z.string().check(
    z.minLength(1, 'required'),
    z.maxLength(600, 'too_long'),
    z.regex(new RegExp(`^${name}(,${name})*$`), 'invalid'),
    z.refine((value) => value.split(',').length <= contentFilesMax, {
      error: 'too_many',
      params: { maximum: contentFilesMax },
    }),
  )

const perLanguage = <Value extends z.ZodMiniType>(value: Value) =>
  z.object(Object.fromEntries(languages.map((each) => [each, value])) as Record<Language, Value>)

// Not `z.record`, because every page with a form would then load it: all request schemas share one script.
const texts = z.catchall(z.object({}), z.string())

/** Optional, because not every project has one. */
const maybe = z.optional(z.string())

/**
 * Information about the installation that every page can use. The name and other values that the build needs are stored
 * elsewhere.
 */
export const brand = z.object({
  tagline: perLanguage(z.string()),
  legalLine: perLanguage(z.string()),
  email: z.string(),
  phone: maybe,
  address: perLanguage(z.array(z.string())),
  links: z.object({
    newsletter: maybe,
    blog: maybe,
    mining: maybe,
    exchange: maybe,
    explorer: maybe,
    testExplorer: maybe,
    downloads: maybe,
    wallet: z.object({ ios: maybe, android: maybe, androidCn: maybe }),
  }),
  /** Profile links by name of the social network. */
  social: texts,
  /** The base names of these documents' files. */
  documents: z.object({
    brochure: maybe,
    whitePaper: maybe,
    ambassadorEbook: maybe,
    others: z.optional(z.array(z.string())),
  }),
  /** Dates of the current versions. */
  legal: z.object({ terms: z.string(), privacy: z.string() }),
})
export type Brand = z.infer<typeof brand>

export const readWords = endpoint('GET', 'content/words', {
  about: `Get the messages of the site in one language, by key. \`files\` is a comma-separated list of up to ${contentFilesMax} message files.`,
  access: anyone,
  changesWith: ['content'],
  isRevalidated: true,
  query: z.strictObject({ language, files: files('[a-z][a-z\\d-]*') }),
  output: z.object({ words: texts }),
  errors: ['validation_failed'],
})

export const readFacts = endpoint('GET', 'content/facts', {
  about: `Get the data that public pages show as lists, such as the roadmap, in every language. \`files\` is a comma-separated list of up to ${contentFilesMax} data files.`,
  access: anyone,
  changesWith: ['content'],
  isRevalidated: true,
  query: z.strictObject({ files: files('[a-z][a-z\\d/-]*(\\.json)?') }),
  output: z.object({ facts: z.looseObject({}) }),
  errors: ['validation_failed'],
})

export const readBrand = endpoint('GET', 'content/brand', {
  about: 'Get the contact details, links, and dates of the legal texts.',
  access: anyone,
  changesWith: ['content'],
  isRevalidated: true,
  output: brand,
})
