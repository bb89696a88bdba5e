import * as z from 'zod/mini'
import { auditActions, auditSubjects } from './audit-actions.ts'
import { endpoint, staff } from './endpoint.ts'
import { settingChange } from './settings.ts'
import { id, line, noBody, page, time } from './fields.ts'

/** A day of UTC. */
const day = z.string().check(
  z.regex(/^[12]\d{3}-\d\d-\d\d$/, 'date'),
  z.refine((value) => {
    const at = new Date(`${value}T00:00:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === value
  }, 'date'),
)

/** What the actor is called where the program itself acted, in both languages. */
export const programNames = ['system', 'program', '系统']

const filters = z.strictObject({
  /** A member's e-mail address or id, or one of `programNames`. */
  actor: z.optional(line(254)),
  action: z.optional(z.enum(auditActions, 'one_of')),
  kind: z.optional(z.enum(auditSubjects, 'one_of')),
  /** An id, a member's e-mail address, or the reference of an order. */
  subject: z.optional(line(254)),
  /** Readings are who listed or opened what; everything else changed something. */
  what: z.optional(z.enum(['changes', 'readings'], 'one_of')),
  from: z.optional(day),
  to: z.optional(day),
  sort: z._default(z.enum(['-at', 'at'], 'one_of'), '-at'),
})
export type RecordFilters = z.infer<typeof filters>

export const recordEntry = z.object({
  id,
  at: time,
  /** Null where the program itself acted. The name is empty where the account was erased. */
  actor: z.nullable(z.object({ id, name: z.string() })),
  /** One of `auditActions`, or one that an earlier release wrote. */
  action: z.string(),
  subject: z.object({ kind: z.string(), id: z.nullable(id), name: z.string() }),
  /** Names of fields, states and ids; of corrected orders also the values before and after. Of orders and cases for those with `finance`. */
  detail: z.record(z.string(), z.unknown()),
  /** What settings were and what they became, from the version that was kept with the entry. For those with `coins`. */
  changes: z.array(settingChange),
  /** The place in the chain, and the SHA-256 in hexadecimal over the entry and the hash of the one before. */
  seq: z.number(),
  hash: z.string(),
})
export type RecordEntry = z.infer<typeof recordEntry>

export const listRecord = endpoint('GET', 'admin/record', {
  about:
    'The audit log, by actor, action, subject and days of UTC, without entries about the caller’s own identity. The reading is recorded.',
  access: staff('admin'),
  recordsReading: 'record',
  query: z.extend(page, filters.def.shape),
  output: z.array(recordEntry),
})

export const exportRecord = endpoint('GET', 'admin/record/file', {
  about: 'All entries that fit the same filters, as CSV. Recorded.',
  access: staff('admin'),
  query: filters,
  output: z.unknown(),
  answersBytes: true,
  answersAlso: 'text/csv',
  errors: ['step_up_required', 'rate_limited'],
})

const verification = z.object({
  /** `stopped`: the instance that ran it went away, or the database did. */
  state: z.enum(['running', 'intact', 'broken', 'stopped']),
  startedAt: time,
  by: z.string(),
  finishedAt: z.nullable(time),
  /** How many entries there were when it began, and how many are read. */
  total: z.number(),
  checked: z.number(),
  /** The hash of the last entry, in hexadecimal; null until it came to its end. */
  head: z.nullable(z.string()),
  /** Where the chain breaks first. `cut`: the last hash of the verification before is in it no more. */
  broken: z.nullable(z.object({ seq: z.number(), why: z.enum(['changed', 'missing', 'relinked', 'cut']) })),
})
export type Verification = z.infer<typeof verification>

export const verifyRecord = endpoint('POST', 'admin/record/verify', {
  about: 'Begins to verify the whole chain; where that runs already, says how far it is. Recorded.',
  access: staff('admin'),
  status: 202,
  body: noBody,
  output: verification,
  errors: ['rate_limited'],
})

export const getVerification = endpoint('GET', 'admin/record/verification', {
  about: 'The verification that runs, or else the last one; null before the first.',
  access: staff('admin'),
  output: z.object({ last: z.nullable(verification) }),
})

export const exportRecordHead = endpoint('GET', 'admin/record/head', {
  about:
    'How many entries the last intact verification read and the hash of the last of them, signed with the key that posts are signed with. Recorded.',
  access: staff('admin'),
  output: z.object({
    /** JSON, byte by byte what is signed: `kind`, `site`, `verifiedAt`, `entries`, `head`. */
    document: z.string(),
    /** Ed25519 (RFC 8032), base64. */
    signature: z.string(),
    /** Of `announcements/signing-keys`. */
    keyId: z.string(),
  }),
  errors: ['not_found'],
})
