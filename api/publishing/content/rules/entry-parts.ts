import { z } from 'zod'
import { furtherLanguages } from '../../../platform/site-content/further-language.ts'
import { isAllSeen } from './message-schema.ts'
import { breaks, issue } from './problem.ts'

/** Maximum length of a text in an entry, which is the longest that pages can lay out. */
const lineLengthMax = 2000
const addressLengthMax = 500

/** One paragraph, always displayed as plain text. */
export const line = z
  .string()
  .trim()
  .min(1)
  .max(lineLengthMax)
  .refine(isAllSeen, breaks('control_characters'))
export const kebab = z
  .string()
  .max(60)
  .refine((text) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text), breaks('kebab'))
/** Returns the part between `https://` and the path. */
const authorityOf = (text: string): string => /^https:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
/**
 * A link target: never a script, and never a host disguised by another name before an @. Account names, as in
 * `https://www.youtube.com/@name`, are in the path.
 */
export const address = z
  .string()
  .max(addressLengthMax)
  .superRefine((text, context) => {
    if (!text.startsWith('https://')) context.addIssue(issue([], 'web_address'))
    else if (/[\s\\]/.test(text)) context.addIssue(issue([], 'web_address_characters'))
    else if (/@|%40/i.test(authorityOf(text))) context.addIssue(issue([], 'web_address_user'))
    else if (authorityOf(text) === '' || !URL.canParse(text)) context.addIssue(issue([], 'web_address_host'))
  })
export const day = z.iso.date('day')
/** When something is planned, as precisely as known: a month, a quarter, or a year. */
export const month = z
  .string()
  .refine((text) => /^\d{4}(-(0[1-9]|1[0-2]|Q[1-4]))?$/.test(text), breaks('month'))
export const sample = z.literal('sample').optional()
export const isSpecial = z.literal(true).optional()
/** A file in content/media/people, or an uploaded one; without one, a rosette is drawn from the name. */
export const photo = z
  .string()
  .refine((name) => /^[a-z0-9][a-z0-9-]{0,80}\.(webp|avif|jpe?g|png)$/.test(name), breaks('file_name'))
  .optional()
const hasHan = (value: unknown) => /\p{Script=Han}/u.test(JSON.stringify(value))

/** Values by the name of a network, a document, and so on: whichever the project has. */
export const named = <Part extends z.ZodType>(part: Part) =>
  z.record(
    z
      .string()
      .max(40)
      .refine((name) => /^[A-Za-z0-9][A-Za-z0-9 .-]*$/.test(name), breaks('name')),
    part,
  )

/** The same part in the languages that the project added. */
export const inFurther = (part: z.ZodType): object =>
  Object.fromEntries(furtherLanguages.map((language) => [language, part.optional()]))

/**
 * The languages of an entry, with the same shape. English and Chinese are required, each in its own script; others may
 * be missing.
 */
export function words<Shape extends z.ZodRawShape>(shape: Shape) {
  return {
    en: z.strictObject(shape).refine((value) => !hasHan(value), breaks('not_english')),
    cn: z.strictObject(shape).refine(hasHan, breaks('not_chinese')),
    ...inFurther(z.strictObject(shape)),
  }
}

export const bilingualLine = z.strictObject({
  en: line.refine((value) => !hasHan(value), breaks('not_english')),
  cn: line.refine(hasHan, breaks('not_chinese')),
  ...inFurther(line),
})

/** More than any page has needed so far, and few enough to read. */
const entriesMax = 60

/** Entries with unique IDs. An empty list hides the section of the page. */
export function list<Entry extends z.ZodType<{ id: string }>>(entry: Entry, min = 0, max = entriesMax) {
  return z.array(entry).superRefine((entries, context) => {
    const count = entries.length
    if (count < min || count > max) context.addIssue(issue([], 'entries', { count, min, max }))
    for (const [at, { id }] of entries.entries()) {
      const isRepeated = entries.findIndex((other) => other.id === id) < at
      if (isRepeated) context.addIssue(issue([at, 'id'], 'used_twice', { id }))
    }
  })
}
