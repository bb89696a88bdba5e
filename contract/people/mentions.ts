import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { done, id, noBody, time } from '../platform/fields.ts'
import { resource, sortedBy, type FiltersOf } from '../platform/resource.ts'

/** The kinds of records that have notes, as in the audit log. */
export const notedKinds = ['member', 'order', 'kyc', 'ambassador-application'] as const
export type NotedKind = (typeof notedKinds)[number]

const mention = z.object({
  id,
  /** The record that the note is about. */
  about: z.enum(notedKinds),
  of: id,
  /** The order's reference, or the person's name or email address. */
  name: z.string(),
  text: z.string(),
  at: time,
  by: z.nullable(z.string()),
  seenAt: z.nullable(time),
})
export type Mention = z.infer<typeof mention>

export const mentions = resource({
  path: 'admin/mentions',
  name: 'mentions',
  about:
    'List the notes in which colleagues mentioned the caller, and which the caller’s levels allow them to read.',
  access: staff('any'),
  auditsAccess: { without: 'A colleague addressed the notes to the caller.' },
  row: mention,
  filters: {
    seen: z.optional(z.enum(['yes', 'no'], 'one_of')),
    sort: sortedBy('at', '-at'),
  },
  palette: { without: 'The palette finds the record that a note is about.' },
})
export const { list: listMentions } = mentions
export type MentionFilters = FiltersOf<typeof mentions>

export const markMentionSeen = endpoint('POST', 'admin/mentions/:id/seen', {
  about: 'Mark a mention of the caller as read. Opening the record does the same.',
  access: staff('any'),
  params: z.strictObject({ id }),
  body: noBody,
  output: done('seen'),
  errors: ['not_found'],
})
