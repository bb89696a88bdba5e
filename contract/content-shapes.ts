import * as z from 'zod/mini'
import { contentPieceWhole, pieceName } from './console-content.ts'
import { endpoint, staff } from './endpoint.ts'
import { language, line } from './fields.ts'

/** What stands at one place of a list of facts or of the brand, so that a form can be made of it. */
export type ContentShape =
  | { kind: 'text' | 'id' | 'address' | 'email' | 'day' | 'month' | 'photo' | 'number' | 'flag' }
  /** Ticked it has this value; otherwise it is left out. */
  | { kind: 'mark'; value: unknown }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'list'; item: ContentShape }
  /** Values by names that the editor gives. */
  | { kind: 'named'; item: ContentShape }
  | { kind: 'object'; fields: readonly ContentField[] }
export type ContentField = { name: string; isOptional: boolean; shape: ContentShape }

/** How many places of the site a search answers. */
export const contentHitsMax = 50

export const contentHit = z.object({
  piece: contentPieceWhole.shape.piece,
  /** As in a draft: `en.home.title`; in a list the path with the ids of entries: `some-entry.en.title`. */
  place: z.string(),
  language: z.nullable(language),
  text: z.string(),
})
export type ContentHit = z.infer<typeof contentHit>

export const getContentShape = endpoint('GET', 'admin/content/shape', {
  about: 'What a form for a list of facts or for the brand consists of, as the rules say.',
  access: staff('news', 1),
  query: z.strictObject({ piece: pieceName }),
  output: z.object({ shape: z.custom<ContentShape>() }),
  errors: ['not_found'],
})

export const findContent = endpoint('GET', 'admin/content/find', {
  about: `Where a text stands that visitors read, with the drafts: the best ${contentHitsMax} places. What the site fills in, such as its name, may be in the words given as visitors see it.`,
  access: staff('news', 1),
  query: z.strictObject({ q: line(300).check(z.minLength(1, 'required')) }),
  output: z.array(contentHit),
})
