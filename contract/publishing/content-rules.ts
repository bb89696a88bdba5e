import * as z from 'zod/mini'
import { completeLanguages } from '../platform/languages.ts'

/** Problems in content. The sentence for each is in `content/rules/`, in every language. */
export const ruleCodes = [
  'missing',
  'not_json',
  'not_a_value',
  'number',
  'choice',
  'too_few',
  'too_many',
  'no_schema',
  'unknown_key',
  'twice',
  'elsewhere',
  'dotted_key',
  'placeholders',
  'placeholders_fixed',
  'tags',
  'tags_fixed',
  'statutory',
  'open_tag',
  'brand_named',
  'meta_key',
  'meta_length',
  'meta_missing',
  'empty',
  'too_long',
  'control_characters',
  'not_english',
  'not_chinese',
  'kebab',
  'web_address',
  'web_address_characters',
  'web_address_user',
  'web_address_host',
  'email',
  'entries',
  'used_twice',
  'address_taken',
  'day',
  'month',
  'before_above',
  'state_order',
  'values_for_columns',
  'no_node',
  'file_name',
  'name',
  'unit',
  'currency',
  'rate',
  'no_file',
  'never_offered',
  'document_language',
] as const
export type RuleCode = (typeof ruleCodes)[number]

/** One problem: the file, the place in it, and the reason. */
export const contentProblem = z.object({
  /** Path under `content/`, such as `messages/en/home.json` or `facts/roadmap.json`. */
  file: z.string(),
  /** The key of a text, or the path in a list with the IDs of its entries: `some-entry.cn.title`. */
  place: z.string(),
  code: z.enum(ruleCodes),
  /** The sentence in each language. */
  words: z.record(z.enum(completeLanguages), z.string()),
})
export type ContentProblem = z.infer<typeof contentProblem>
