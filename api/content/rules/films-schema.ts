import { z } from 'zod'
import { bilingualLine, kebab, line, list, words } from './entry-parts.ts'

const caption = z.strictObject({ start: z.number().min(0), end: z.number(), ...bilingualLine.shape })

const film = z
  .strictObject({
    id: kebab,
    place: z.enum(['hero', 'home', 'ambassador']),
    file: kebab,
    seconds: z.number().positive(),
    ...words({ title: line, description: line }),
    captions: z.array(caption).min(1).optional(),
  })
  .superRefine(({ place, seconds, captions = [] }, context) => {
    if ((place === 'hero') === captions.length > 0)
      context.addIssue({
        code: 'custom',
        path: ['captions'],
        message: place === 'hero' ? 'the hero film has none' : 'missing',
      })
    for (const [at, { start, end }] of captions.entries()) {
      const isInOrder = start >= (captions[at - 1]?.end ?? 0) && end > start && end <= seconds
      if (!isInOrder)
        context.addIssue({
          code: 'custom',
          path: ['captions', at],
          message: `${start} to ${end} s is out of order`,
        })
    }
  })

/** At most one film where a page has room for one. */
export const films = list(film).superRefine((entries, context) => {
  for (const place of ['hero', 'ambassador'] as const) {
    const { length } = entries.filter((entry) => entry.place === place)
    if (length > 1)
      context.addIssue({
        code: 'custom',
        message: `has ${length} films with the place "${place}" but can have only 1`,
      })
  }
})
