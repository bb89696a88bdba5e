import * as z from 'zod/mini'
import { contentItemDetail, contentItemName } from './console-content.ts'
import { endpoint, staff } from './endpoint.ts'
import { language, line } from './fields.ts'

/** Shape of the value at one place in a list of facts or in the brand, from which a form is built. */
export type ContentShape =
  | { kind: 'text' | 'id' | 'address' | 'email' | 'day' | 'month' | 'photo' | 'number' | 'flag' }
  /** A checkbox: the value if checked, left out otherwise. */
  | { kind: 'mark'; value: unknown }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'list'; item: ContentShape }
  /** Values under keys chosen by the editor. */
  | { kind: 'named'; item: ContentShape }
  | { kind: 'object'; fields: readonly ContentField[] }
export type ContentField = { name: string; isOptional: boolean; shape: ContentShape }

/** The maximum number of search results. */
export const contentHitsMax = 50

export const contentHit = z.object({
  piece: contentItemDetail.shape.piece,
  /** As in a draft: `en.home.title`. In a list, the path with the IDs of entries: `some-entry.en.title`. */
  place: z.string(),
  language: z.nullable(language),
  text: z.string(),
})
export type ContentHit = z.infer<typeof contentHit>

export const getContentShape = endpoint('GET', 'admin/content/shape', {
  about: 'What a form for a list of facts or for the brand consists of, as the rules say.',
  access: staff('news', 1),
  query: z.strictObject({ piece: contentItemName }),
  output: z.object({ shape: z.custom<ContentShape>() }),
  errors: ['not_found'],
})

export const findContent = endpoint('GET', 'admin/content/find', {
  about: `Where a text stands that visitors read, with the drafts: the best ${contentHitsMax} places. What the site fills in, such as its name, may be in the words given as visitors see it.`,
  access: staff('news', 1),
  query: z.strictObject({ q: line(300).check(z.minLength(1, 'required')) }),
  output: z.array(contentHit),
})
