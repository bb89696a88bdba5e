import * as z from 'zod/mini'
import { contentItemDetail, contentItemName } from './console-content.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { language, line } from '../platform/fields.ts'

/** Shape of the value at one place in a data file or in the brand. Forms are built from it. */
export type ContentShape =
  | { kind: 'text' | 'id' | 'address' | 'email' | 'day' | 'month' | 'photo' | 'number' | 'flag' }
  /** A checkbox: the value if checked, omitted otherwise. */
  | { kind: 'mark'; value: unknown }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'list'; item: ContentShape }
  /** Values under keys chosen by the editor. */
  | { kind: 'named'; item: ContentShape }
  | { kind: 'object'; fields: readonly ContentField[] }
export type ContentField = { name: string; isOptional: boolean; shape: ContentShape }

/** The maximum number of search results. */
export const contentHitsMax = 50

const contentHit = z.object({
  piece: contentItemDetail.shape.piece,
  /** As in a draft: `en.home.title`. In a list, the path with the IDs of entries: `some-entry.en.title`. */
  place: z.string(),
  language: z.nullable(language),
  text: z.string(),
})
export type ContentHit = z.infer<typeof contentHit>

export const getContentShape = endpoint('GET', 'admin/content/shape', {
  about: 'Get the fields of a form for a data file or for the brand, as defined by the content rules.',
  access: staff('news', 1),
  query: z.strictObject({ piece: contentItemName }),
  output: z.object({ shape: z.custom<ContentShape>() }),
  errors: ['not_found'],
})

export const findContent = endpoint('GET', 'admin/content/find', {
  about: `Find where a text that visitors read is edited, including drafts, and return the best ${contentHitsMax} matches. Values that the site inserts, such as its name, can be searched for as visitors see them.`,
  access: staff('news', 1),
  query: z.strictObject({ q: line(300).check(z.minLength(1, 'required')) }),
  output: z.array(contentHit),
})
