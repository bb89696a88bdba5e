import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import { timeInput, id, line, noBody, requiredLine, time } from '../platform/fields.ts'
import { channelKinds, officialRoles } from './official.ts'
import { resource, sortedBy } from '../platform/resource.ts'
import { whoChanged } from '../people/settings.ts'

export const channelValueLengthMax = 300
const channelNoteLengthMax = 500
const channelEvidenceLengthMax = 500

/** `official` entries are added to the official items from content and settings. */
export const channelStatuses = ['false', 'official'] as const
export type ChannelStatus = (typeof channelStatuses)[number]

export const listedChannel = z.object({
  id,
  standing: z.enum(channelStatuses),
  kind: z.enum(channelKinds),
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
export type ListedChannel = z.infer<typeof listedChannel>

export const listedChannels = resource({
  path: 'admin/official/entries',
  name: 'official-entries',
  about:
    'List the impersonation entries and the official entries that staff added. `q` matches part of the value or the note.',
  access: staff('any'),
  auditsAccess: { without: 'The entries are about the project, not about people.' },
  row: listedChannel,
  filters: {
    q: z.optional(line(200)),
    standing: z.optional(z.enum(channelStatuses, 'one_of')),
    kind: z.optional(z.enum(channelKinds, 'one_of')),
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
export const { list: listChannels, file: exportChannels } = listedChannels

export const listOfficialSources = endpoint('GET', 'admin/official/sources', {
  about:
    'List everything that is currently reported as official and what it is. Receiving addresses are included only for callers who can read the sale settings.',
  access: staff('any'),
  output: z.array(
    z.object({
      kind: z.enum(channelKinds),
      role: z.enum(officialRoles),
      name: z.string(),
      value: z.string(),
    }),
  ),
})

const given = {
  kind: z.enum(channelKinds, 'one_of'),
  value: requiredLine(channelValueLengthMax),
  note: requiredLine(channelNoteLengthMax),
  evidence: z._default(
    line(channelEvidenceLengthMax).check(
      z.refine((value) => value === '' || /^https?:\/\/[^\s/]+/i.test(value), 'invalid'),
    ),
    '',
  ),
}
export const entryInput = z.strictObject(given)
export type EntryInput = z.infer<typeof entryInput>
const changed = z.strictObject({ ...given, lastUpdated: timeInput })
const one = z.strictObject({ id })

const ofEditors = { access: staff('news', 2), output: listedChannel }
/** Official entries could divert money, so those who may change the sale maintain them. */
const ofSale = { access: staff('coins', 2), output: listedChannel }

export const addImpersonator = endpoint('POST', 'admin/official/false', {
  ...ofEditors,
  about:
    'Add an impersonation entry. It is refused if the value is already listed in any spelling, or if it would match something official.',
  status: 201,
  body: entryInput,
})

export const updateImpersonator = endpoint('POST', 'admin/official/false/:id', {
  ...ofEditors,
  about: 'Update an impersonation entry. If `lastUpdated` is not the stored value, nothing is written.',
  params: one,
  body: changed,
  errors: ['not_found', 'conflict'],
})

export const withdrawImpersonator = endpoint('POST', 'admin/official/false/:id/withdraw', {
  ...ofEditors,
  about: 'Withdraw an impersonation entry. It stays in the list of withdrawn entries.',
  params: one,
  body: noBody,
  errors: ['not_found', 'conflict'],
})

export const addOfficialEntry = endpoint('POST', 'admin/official/official', {
  ...ofSale,
  about:
    'Add an official entry. All administrators are notified by email. The entry is refused if the value is listed as an impersonation.',
  status: 201,
  body: entryInput,
  errors: ['step_up_required'],
})

export const changeOfficialEntry = endpoint('POST', 'admin/official/official/:id', {
  ...ofSale,
  about: 'Update an official entry. All administrators are notified by email.',
  params: one,
  body: changed,
  errors: ['not_found', 'conflict', 'step_up_required'],
})

export const withdrawOfficialEntry = endpoint('POST', 'admin/official/official/:id/withdraw', {
  ...ofSale,
  about: 'Withdraw an official entry. All administrators are notified by email.',
  params: one,
  body: noBody,
  errors: ['not_found', 'conflict', 'step_up_required'],
})
