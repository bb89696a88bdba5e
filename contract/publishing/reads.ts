import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { day, language, type Language } from '../platform/fields.ts'

export const readKinds = ['page', 'post', 'document'] as const
export type ReadKind = (typeof readKinds)[number]

/**
 * What a response shows: `item` is the path of a page, the slug of a post, or the file name of a document. A document
 * has its own language.
 */
export type Readable =
  | { kind: 'page' | 'post'; item: string; language: Language }
  | { kind: 'document'; item: string }

/** Stored instead of a referring site beyond the limit per day. */
export const otherReferrer = 'other'

export const readsDaysMax = 366
export const readsDaysDefault = 28
/** The maximum number of pages, posts, documents, and of sites in a report; those with the most reads are listed. */
export const readsListMax = 200

/** Reads of a post: in the last 28 days including today, and in total. */
export const postReads = z.object({ recent: z.number(), total: z.number() })

export const readReads = endpoint('GET', 'admin/news/reads', {
  about:
    'Get how often pages, posts, and documents were read, by day (UTC), item, language, and referring site. The default period is the last 28 days; the maximum is 366 days.',
  access: staff('news', 1),
  query: z.strictObject({ from: z.optional(day), to: z.optional(day) }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    today: z.string(),
    /** Reads of earlier months are summed up, and listed on the first day of the month. */
    dailySince: z.string(),
    /** Whether reads are being counted (`COUNT_READS`). */
    isCounting: z.boolean(),
    total: z.number(),
    days: z.array(z.object({ day: z.string(), reads: z.number() })),
    /** `title` is the title of a post or document that still exists, and `slug` is set for published posts. */
    items: z.array(
      z.object({
        kind: z.enum(readKinds),
        item: z.string(),
        title: z.nullable(z.string()),
        language: z.nullable(language),
        slug: z.nullable(z.string()),
        reads: z.number(),
      }),
    ),
    languages: z.array(z.object({ language, reads: z.number() })),
    /** `host` is empty for reads without a referring site, and `other` for sites beyond the limit per day. */
    referrers: z.array(z.object({ host: z.string(), reads: z.number() })),
  }),
})
export type Reads = z.infer<typeof readReads.output>
