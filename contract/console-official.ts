import * as z from 'zod/mini'
import { endpoint, staff } from './endpoint.ts'
import { givenTime, id, line, noBody, requiredLine, time } from './fields.ts'
import { knownKinds, officialRoles } from './official.ts'
import { resource, sortedBy } from './resource.ts'
import { whoChanged } from './settings.ts'

export const knownValueLengthMax = 300
export const knownNoteLengthMax = 500
export const knownEvidenceLengthMax = 500

/** `official` entries are added to the official items from content and settings. */
export const knownStandings = ['false', 'official'] as const
export type KnownStanding = (typeof knownStandings)[number]

export const knownEntry = z.object({
  id,
  standing: z.enum(knownStandings),
  kind: z.enum(knownKinds),
  value: z.string(),
  /** Shown to everyone who checks the item: what an impersonator pretends to be, or what an official item is. */
  note: z.string(),
  /** Visible to staff only. */
  evidence: z.string(),
  addedAt: time,
  addedBy: z.nullable(whoChanged),
  lastUpdated: time,
  withdrawnAt: z.nullable(time),
})
export type KnownEntry = z.infer<typeof knownEntry>

export const knownEntries = resource({
  path: 'admin/official/entries',
  name: 'official-entries',
  about:
    'List the impersonation entries and the official entries that staff added. `q` matches part of the value or the note.',
  access: staff('any'),
  recordsReading: { without: 'The entries are about the project, not about people.' },
  row: knownEntry,
  filters: {
    q: z.optional(line(200)),
    standing: z.optional(z.enum(knownStandings, 'one_of')),
    kind: z.optional(z.enum(knownKinds, 'one_of')),
    /** Only active entries by default. */
    state: z.optional(z.enum(['active', 'withdrawn', 'all'], 'one_of')),
    sort: sortedBy('-added', 'added'),
  },
  isPageFirst: true,
  palette: { without: 'There are few, and they are read together.' },
  file: {
    about: 'Export the same list as CSV, all pages.',
    stepUp: { without: 'The entries are about the project, not about people.' },
  },
})
export const { list: listKnownEntries, file: exportKnownEntries } = knownEntries

export const listOfficialSources = endpoint('GET', 'admin/official/sources', {
  about:
    'List everything that is currently reported as official and what it is. Receiving addresses are included only for callers who can read the sale settings.',
  access: staff('any'),
  output: z.array(
    z.object({
      kind: z.enum(knownKinds),
      role: z.enum(officialRoles),
      name: z.string(),
      value: z.string(),
    }),
  ),
})

const given = {
  kind: z.enum(knownKinds, 'one_of'),
  value: requiredLine(knownValueLengthMax),
  note: requiredLine(knownNoteLengthMax),
  evidence: z._default(
    line(knownEvidenceLengthMax).check(
      z.refine((value) => value === '' || /^https?:\/\/[^\s/]+/i.test(value), 'invalid'),
    ),
    '',
  ),
}
export const givenKnown = z.strictObject(given)
export type GivenKnown = z.infer<typeof givenKnown>
const changed = z.strictObject({ ...given, lastUpdated: givenTime })
const one = z.strictObject({ id })

export const addFalseEntry = endpoint('POST', 'admin/official/false', {
  about:
    'Add an impersonation entry. It is refused if the value is already listed in any spelling, or if it would match something official.',
  access: staff('news', 2),
  status: 201,
  body: givenKnown,
  output: knownEntry,
})

export const changeFalseEntry = endpoint('POST', 'admin/official/false/:id', {
  about: 'Update an impersonation entry. If `lastUpdated` is not the stored value, nothing is written.',
  access: staff('news', 2),
  params: one,
  body: changed,
  output: knownEntry,
  errors: ['not_found', 'conflict'],
})

export const withdrawFalseEntry = endpoint('POST', 'admin/official/false/:id/withdraw', {
  about: 'Withdraw an impersonation entry. It stays in the list of withdrawn entries.',
  access: staff('news', 2),
  params: one,
  body: noBody,
  output: knownEntry,
  errors: ['not_found', 'conflict'],
})

export const addOfficialEntry = endpoint('POST', 'admin/official/official', {
  about:
    'Add an official entry. All administrators are notified by email. The entry is refused if the value is listed as an impersonation.',
  access: staff('coins', 2),
  status: 201,
  body: givenKnown,
  output: knownEntry,
  errors: ['step_up_required'],
})

export const changeOfficialEntry = endpoint('POST', 'admin/official/official/:id', {
  about: 'Update an official entry. All administrators are notified by email.',
  access: staff('coins', 2),
  params: one,
  body: changed,
  output: knownEntry,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const withdrawOfficialEntry = endpoint('POST', 'admin/official/official/:id/withdraw', {
  about: 'Withdraw an official entry. All administrators are notified by email.',
  access: staff('coins', 2),
  params: one,
  body: noBody,
  output: knownEntry,
  errors: ['not_found', 'conflict', 'step_up_required'],
})
