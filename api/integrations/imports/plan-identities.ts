import * as z from 'zod/mini'
import {
  birthDate,
  chainAddress,
  emailOrNone,
  id,
  line,
  requiredLine,
  text,
} from '#contract/platform/fields.ts'
import { defaultEventId, kycStates } from '#contract/people/kyc.ts'
import type { Tx } from '../../platform/db/database.ts'
import { listKycWithIds, type ImportedKycRow } from '../../people/kyc/imported-kyc.queries.ts'
import { reportRepeated, isSameIn, sortByStored, type MembersOfImport, type Plan } from './plan.ts'
import { requireMembers } from './plan-orders.ts'
import { flag, pastTime, readAll } from './record-fields.ts'
import type { Columns, GivenRecords } from './read-records.ts'

export const identityColumns = {
  id: ['_id'],
  memberId: [],
  fullName: ['firstName'],
  lastName: [],
  country: [],
  dateOfBirth: ['birthDate'],
  email: [],
  ethAddress: ['ethAdd'],
  btcAddress: [],
  eventId: [],
  status: [],
  reason: [],
  note: [],
  isFinal: [],
  createdAt: [],
  updatedAt: [],
  decidedAt: [],
} as const satisfies Columns
/** Documents are not imported, nor is the number of submissions. */
export const identityIgnored = ['photoCount', 'round', 'photoUrl', 'photoUrls', 'photoId', '__v']

const decided = ['approved', 'rejected', 'expired', 'withdrawn'] as const
const isDecided = (status: string): status is (typeof decided)[number] =>
  (decided as readonly string[]).includes(status)

type Times = { decidedAt?: Date | undefined; updatedAt?: Date | undefined; createdAt?: Date | undefined }

/** Falls back to the last recorded event if the decision has no time. */
const decisionOf = ({ decidedAt, updatedAt, createdAt }: Times): Date | undefined =>
  decidedAt ?? updatedAt ?? createdAt

const identityRecord = z
  .object({
    id,
    memberId: id,
    fullName: requiredLine(200),
    lastName: z.optional(line(200)),
    country: z.optional(line(100)),
    dateOfBirth: z.optional(birthDate),
    email: z.optional(emailOrNone),
    ethAddress: z.optional(chainAddress),
    btcAddress: z.optional(chainAddress),
    eventId: z.optional(line(40)),
    status: z.pipe(
      z.string('required').check(z.trim(), z.toLowerCase()),
      z.enum(kycStates, 'one_of').check(z.refine(isDecided, 'needs_documents')),
    ),
    reason: z.optional(text(2000)),
    note: z.optional(text(5000)),
    isFinal: z.optional(flag),
    createdAt: z.optional(pastTime),
    updatedAt: z.optional(pastTime),
    decidedAt: z.optional(pastTime),
  })
  .check(
    z.refine(({ isFinal, status }) => !isFinal || status === 'rejected', {
      error: 'only_refusals',
      path: ['isFinal'],
    }),
    z.refine((record) => decisionOf(record) !== undefined, { error: 'required', path: ['decidedAt'] }),
  )

const rowOf = (record: z.infer<typeof identityRecord>): ImportedKycRow => ({
  id: record.id,
  member_id: record.memberId,
  full_name: record.fullName,
  last_name: record.lastName ?? '',
  country: record.country ?? '',
  date_of_birth: record.dateOfBirth ?? '',
  email: record.email ?? '',
  eth_address: record.ethAddress ?? '',
  btc_address: record.btcAddress ?? '',
  event_id: record.eventId ?? defaultEventId,
  status: record.status,
  reason: record.reason ?? '',
  note: record.note ?? '',
  is_final: record.isFinal ?? false,
  created_at: record.createdAt ?? decisionOf(record)!,
  updated_at: record.updatedAt ?? decisionOf(record)!,
  decided_at: decisionOf(record)!,
})

const compared = [
  'member_id',
  'full_name',
  'last_name',
  'country',
  'date_of_birth',
  'status',
  'is_final',
] as const satisfies (keyof ImportedKycRow)[]

export async function planIdentities(
  db: Tx,
  given: GivenRecords,
  members: MembersOfImport,
): Promise<Plan<ImportedKycRow>> {
  const { read, problems } = readAll(identityRecord, given)
  const planned = read.map(({ place, value }) => ({ ...place, row: rowOf(value) }))
  const sorted = await sortByStored(db, reportRepeated(planned, problems), listKycWithIds, (row, stored) =>
    isSameIn(row, stored, compared),
  )
  await requireMembers(db, sorted.made, { members, kind: 'identities' }, problems)
  return { ...sorted, problems, remarks: [] }
}
