import * as z from 'zod/mini'
import { auditActions, auditSubjects } from '../platform/audit-actions.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { settingChange } from '../people/settings.ts'
import { day, id, line, noBody, time } from '../platform/fields.ts'
import { resource, type FiltersOf } from '../platform/resource.ts'

/** Names for the system as an actor, in both languages. */
export const programNames = ['system', 'program', '系统']

const filters = {
  /** A member's email address or ID, or one of `programNames`. */
  actor: z.optional(line(254)),
  action: z.optional(z.enum(auditActions, 'one_of')),
  kind: z.optional(z.enum(auditSubjects, 'one_of')),
  /** An ID, a member's email address, or the reference of an order. */
  subject: z.optional(line(254)),
  /** `readings` are entries about access to data. All others are changes. */
  what: z.optional(z.enum(['changes', 'readings'], 'one_of')),
  from: z.optional(day),
  to: z.optional(day),
  sort: z._default(z.enum(['-at', 'at'], 'one_of'), '-at'),
}

const recordEntry = z.object({
  id,
  at: time,
  /** Null for automatic actions. The name is empty if the account was erased, unless it handled orders. */
  actor: z.nullable(z.object({ id, name: z.string() })),
  /** One of `auditActions`, or an action from an earlier release. */
  action: z.string(),
  subject: z.object({ kind: z.string(), id: z.nullable(id), name: z.string() }),
  /**
   * Field names, states, and IDs; for corrected orders also the values before and after. Details of orders and cases
   * require `finance`.
   */
  detail: z.record(z.string(), z.unknown()),
  /** Settings before and after, from the version stored with the entry. Requires `coins`. */
  changes: z.array(settingChange),
  /**
   * Position in the hash chain. The hash is SHA-256 over the entry and the hash of the previous one, in
   * hexadecimal. Null and empty until the entry is sealed, a fraction of a second after it was written.
   */
  seq: z.nullable(z.number()),
  hash: z.string(),
})
export type RecordEntry = z.infer<typeof recordEntry>

export const exportRecord = endpoint('GET', 'admin/record/file', {
  about: 'Export all entries that match the same filters as CSV. The export is recorded in the audit log.',
  access: staff('admin'),
  query: z.strictObject(filters),
  output: z.unknown(),
  returnsBytes: true,
  alternateType: 'text/csv',
  errors: ['step_up_required', 'rate_limited'],
})

export const auditLog = resource({
  path: 'admin/record',
  name: 'record',
  about:
    'List the audit log, filtered by actor, action, subject, and day (UTC). Entries about the caller’s own identity are excluded. Access is recorded in the audit log.',
  access: staff('admin'),
  auditsAccess: 'record',
  row: recordEntry,
  filters,
  isPageFirst: true,
  palette: 'subject',
  file: exportRecord,
})
export const { list: listRecord } = auditLog
export type RecordFilters = FiltersOf<typeof auditLog>

const verification = z.object({
  /** `stopped`: the instance that ran it, or the database, became unavailable. */
  state: z.enum(['running', 'intact', 'broken', 'stopped']),
  startedAt: time,
  by: z.string(),
  finishedAt: z.nullable(time),
  /** Entries at the start, and entries read so far. */
  total: z.number(),
  checked: z.number(),
  /** Hash of the last entry, in hexadecimal; null until the verification completes. */
  head: z.nullable(z.string()),
  /** The first break in the chain. `cut`: the last hash of the previous verification is missing. */
  broken: z.nullable(
    z.object({ seq: z.number(), why: z.enum(['changed', 'missing', 'relinked', 'cut', 'unsealed']) }),
  ),
})
export type Verification = z.infer<typeof verification>

export const verifyRecord = endpoint('POST', 'admin/record/verify', {
  about:
    'Start verifying the whole hash chain, or get the progress of a verification that is already running. The action is recorded in the audit log.',
  access: staff('admin'),
  status: 202,
  body: noBody,
  output: verification,
  errors: ['rate_limited'],
})

export const getVerification = endpoint('GET', 'admin/record/verification', {
  about: 'Get the running verification, otherwise the last one, or null if there has been none.',
  access: staff('admin'),
  output: z.object({ last: z.nullable(verification) }),
})

export const exportRecordHead = endpoint('GET', 'admin/record/head', {
  about:
    'Get the number of entries that the last intact verification read and the hash of its last entry, signed with the key that signs posts. Access is recorded in the audit log.',
  access: staff('admin'),
  output: z.object({
    /** The exact JSON that is signed: `kind`, `site`, `verifiedAt`, `entries`, `head`. */
    document: z.string(),
    /** Ed25519 (RFC 8032), base64. */
    signature: z.string(),
    /** Key ID from `announcements/signing-keys`. */
    keyId: z.string(),
  }),
  errors: ['not_found'],
})
