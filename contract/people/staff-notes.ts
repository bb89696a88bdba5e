import * as z from 'zod/mini'
import { endpoint, type Access } from '../platform/endpoint.ts'
import { id, text, time } from '../platform/fields.ts'
import { colleague } from './assignment.ts'

export const noteLengthMax = 2000
/** Only the newest notes are shown. */
export const notesShownMax = 100

export const staffNote = z.object({
  id,
  text: z.string(),
  at: time,
  by: z.nullable(z.string()),
  /** Whether the caller can delete it. */
  isRemovable: z.boolean(),
})
export type StaffNote = z.infer<typeof staffNote>

/** The notes about a record, as a change leaves them. */
export const notesOutput = z.object({ notes: z.array(staffNote) })

const noteParams = z.strictObject({ id, noteId: id })
const params = z.strictObject({ id })
/** A note can mention this many colleagues. */
export const mentionsMax = 20

const body = z.strictObject({
  text: text(noteLengthMax).check(z.trim(), z.minLength(1, 'required')),
  /** IDs of colleagues who are to read it. */
  mentions: z.optional(z.array(id).check(z.maxLength(mentionsMax, 'too_many'))),
})

/** Declares the endpoints of the notes about one kind of record, whose list has the path `path`. */
export const notesOn = <A extends Access, O extends typeof notesOutput>(
  path: string,
  { access, output, about }: { access: A; output: O; about: { add: string; remove?: string } },
) => ({
  add: endpoint('POST', `${path}/:id/notes`, {
    about: `Add a note for colleagues, and mention some of them. ${about.add}`,
    access,
    params,
    body,
    output,
    errors: ['not_found'],
  }),
  readers: endpoint('GET', `${path}/:id/readers`, {
    about: 'List the colleagues who can read the record and can be mentioned in a note about it.',
    access,
    params,
    output: z.array(colleague),
  }),
  remove: endpoint('DELETE', `${path}/:id/notes/:noteId`, {
    about: [
      'Delete a note. Staff can delete their own notes; administrators can delete any note.',
      ...(about.remove ? [about.remove] : []),
    ].join(' '),
    access,
    params: noteParams,
    output,
    errors: ['not_found'],
  }),
})
