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
  /** Shown to everyone who checks it: what a false one pretends to be, or what an official one is. */
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
    'What is known as false, and what the console added to what is official. `q`: part of value or note.',
  access: staff('any'),
  recordsReading: { without: 'The entries are about the project, not about people.' },
  row: knownEntry,
  filters: {
    q: z.optional(line(200)),
    standing: z.optional(z.enum(knownStandings, 'one_of')),
    kind: z.optional(z.enum(knownKinds, 'one_of')),
    /** Active ones by default. */
    state: z.optional(z.enum(['active', 'withdrawn', 'all'], 'one_of')),
    sort: sortedBy('-added', 'added'),
  },
  isPageFirst: true,
  palette: { without: 'There are few, and they are read together.' },
  file: {
    about: 'The same list as CSV, all pages.',
    stepUp: { without: 'The entries are about the project, not about people.' },
  },
})
export const { list: listKnownEntries, file: exportKnownEntries } = knownEntries

export const listOfficialSources = endpoint('GET', 'admin/official/sources', {
  about:
    'Everything that is answered as official now, with what it is. Receiving addresses for those who read the sale’s settings.',
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
    'Add something false. Refused where it is listed already, however it is spelled, or where it would cover something of ours.',
  access: staff('news', 2),
  status: 201,
  body: givenKnown,
  output: knownEntry,
})

export const changeFalseEntry = endpoint('POST', 'admin/official/false/:id', {
  about:
    'Change an entry of the false ones. With a `lastUpdated` that is not the stored one nothing is written.',
  access: staff('news', 2),
  params: one,
  body: changed,
  output: knownEntry,
  errors: ['not_found', 'conflict'],
})

export const withdrawFalseEntry = endpoint('POST', 'admin/official/false/:id/withdraw', {
  about: 'Take an entry out of the false ones. It stays in the list of the withdrawn.',
  access: staff('news', 2),
  params: one,
  body: noBody,
  output: knownEntry,
  errors: ['not_found', 'conflict'],
})

export const addOfficialEntry = endpoint('POST', 'admin/official/official', {
  about: 'Add something that is ours. All administrators get a mail. Refused where it is listed as false.',
  access: staff('coins', 2),
  status: 201,
  body: givenKnown,
  output: knownEntry,
  errors: ['step_up_required'],
})

export const changeOfficialEntry = endpoint('POST', 'admin/official/official/:id', {
  about: 'Change something that is ours. All administrators get a mail.',
  access: staff('coins', 2),
  params: one,
  body: changed,
  output: knownEntry,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const withdrawOfficialEntry = endpoint('POST', 'admin/official/official/:id/withdraw', {
  about: 'What was ours is so no more. All administrators get a mail.',
  access: staff('coins', 2),
  params: one,
  body: noBody,
  output: knownEntry,
  errors: ['not_found', 'conflict', 'step_up_required'],
})
