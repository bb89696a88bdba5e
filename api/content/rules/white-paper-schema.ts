import { z } from 'zod'
import { address, day, kebab, line, list, sample, words } from './entry-parts.ts'
import { breaks, issue } from './problem.ts'

/** ISO 17442: 18 letters and digits, and two check digits. */
const lei = z.string().refine(isLei, breaks('name'))

/** Letters count as numbers from 10 on; the whole number modulo 97 must be 1 (ISO 7064). */
function isLei(text: string): boolean {
  if (!/^[A-Z\d]{18}\d\d$/.test(text)) return false
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/**
 * Information about the white paper that the law requires (Regulation (EU) 2023/1114, articles 6, 9, and 12). Without
 * versions there is no page.
 */
export const whitePaper = z
  .strictObject({
    note: sample,
    issuer: z.strictObject({
      email: line,
      phone: line.optional(),
      website: address.optional(),
      lei: lei.optional(),
      ...words({
        name: line,
        role: line,
        address: z.array(line).max(8),
        registered: line.optional(),
      }),
    }),
    isUtility: z.boolean(),
    notifiedOn: day.optional(),
    versions: list(
      z.strictObject({
        id: kebab,
        date: day,
        /** First part of the names of its files; each version has its own files, which are kept. */
        document: kebab,
        note: sample,
        version: line.max(40),
        ...words({ change: line }),
      }),
    ),
  })
  .superRefine(({ versions }, context) => {
    for (const [at, { document }] of versions.entries())
      if (versions.findIndex((other) => other.document === document) < at)
        context.addIssue(issue(['versions', at, 'document'], 'used_twice', { id: document }))
  })
