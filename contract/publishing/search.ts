import * as z from 'zod/mini'
import { anyone, endpoint } from '../platform/endpoint.ts'
import { language, requiredLine, time } from '../platform/fields.ts'
import { searchLengthMax } from '../platform/patterns.ts'

export const resultKinds = ['page', 'question', 'document', 'post'] as const

/** A text in parts, so that matches can be marked. */
const passage = z.array(z.object({ text: z.string(), isHit: z.boolean() }))
export type Passage = z.infer<typeof passage>

const result = z.object({
  kind: z.enum(resultKinds),
  /** The path on this site. It ends in an anchor if the result is a section of a page. */
  address: z.string(),
  title: passage,
  /** The part of the text around the match. Empty if there is no text. */
  text: passage,
  /** The title of the page that contains the result. Null if the result is itself a page. */
  page: z.nullable(z.string()),
  /** Null if the result is not a post. */
  postedDate: z.nullable(time),
})
export type SearchResult = z.infer<typeof result>

export const searchSite = endpoint('GET', 'search', {
  about:
    'Search the public pages, questions, documents, and announcements in one language, with the best matches first. If nothing contains all words, `isPartial` is true, and the results contain some of them.',
  access: anyone,
  changesWith: ['announcements', 'content'],
  query: z.strictObject({ language, q: requiredLine(searchLengthMax) }),
  output: z.object({
    results: z.array(result),
    isPartial: z.boolean(),
    /** Whether more posts match than are listed. */
    hasMorePosts: z.boolean(),
  }),
})
export type SearchAnswer = z.infer<typeof searchSite.output>
