import { z } from 'zod'
import { address, day, kebab, line, list, sample, words } from './entry-parts.ts'
import { breaks, issue } from './problem.ts'

/** ISO 17442: 18 letters and digits, and two digits that check them. */
const lei = z.string().refine(isLei, breaks('name'))

/** The letters as numbers from 10 on; the whole is 1 modulo 97 (ISO 7064). */
function isLei(text: string): boolean {
  if (!/^[A-Z\d]{18}\d\d$/.test(text)) return false
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/** What the law wants known about the white paper (Regulation (EU) 2023/1114, articles 6, 9 and 12). Without versions there is no page. */
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
        /** The first part of the names of its files; each version has files of its own, which stay. */
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
