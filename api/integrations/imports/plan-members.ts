import * as z from 'zod/mini'
import { email, id } from '#contract/platform/fields.ts'
import { languages } from '#contract/platform/languages.ts'
import { ownFields } from '#contract/people/members.ts'
import type { Tx } from '../../platform/db/database.ts'
import { kindOfStored, storeImported } from '../../platform/imported-hash.ts'
import {
  importedKindsMax,
  listImportedKinds,
  listMembersWithEmails,
  listMembersWithIds,
  type ImportedMemberRow,
} from '../../people/members/imported-member.queries.ts'
import { emptied, profileColumns } from '../../people/members/profile-columns.ts'
import {
  reportRepeated,
  inParts,
  isSameIn,
  sortByStored,
  type MembersOfImport,
  type Plan,
  type Planned,
} from './plan.ts'
import { problemAt } from './import-problem.ts'
import { flag, levelOrWord, pastTime, readAll } from './record-fields.ts'
import type { Columns, GivenRecords } from './read-records.ts'

const { email: _, ...profile } = ownFields
type ProfileName = keyof typeof profile
/** New fields of the profile are imported without further changes. */
const profileNames = Object.keys(profile) as ProfileName[]
const namedAlike = Object.fromEntries(profileNames.map((name) => [name, []])) as unknown as Record<
  ProfileName,
  readonly string[]
>

export const memberColumns = {
  id: ['_id'],
  email: [],
  passwordHash: ['password', 'hash'],
  language: ['lang'],
  ...namedAlike,
  midName: ['middleName'],
  active: [],
  emailProved: ['emailVerified'],
  isWriteAccessAdmin: [],
  manageNews: [],
  manageEmployee: [],
  manageFinance: [],
  manageCoins: [],
  createdAt: ['memberSince'],
  updatedAt: ['lastUpdated'],
} as const satisfies Columns
/** Fields from the API's own responses and from MongoDB. */
export const memberIgnored = ['waitingRights', 'pendingEmail', '__v']

const memberRecord = z.object({
  ...profile,
  id,
  email,
  personalMember: z.optional(flag),
  passwordHash: z.optional(
    z.string().check(z.refine((hash) => storeImported(hash) !== undefined, 'password_hash')),
  ),
  language: z.optional(z.enum(languages, 'one_of')),
  active: z.optional(flag),
  emailProved: z.optional(flag),
  isWriteAccessAdmin: z.optional(flag),
  manageNews: z.optional(levelOrWord),
  manageEmployee: z.optional(levelOrWord),
  manageFinance: z.optional(levelOrWord),
  manageCoins: z.optional(levelOrWord),
  createdAt: z.optional(pastTime),
  updatedAt: z.optional(pastTime),
})
type MemberRecord = z.infer<typeof memberRecord>

const rightsOf = (record: MemberRecord) => ({
  is_write_access_admin: record.isWriteAccessAdmin ?? false,
  manage_news: record.manageNews ?? 0,
  manage_employee: record.manageEmployee ?? 0,
  manage_finance: record.manageFinance ?? 0,
  manage_coins: record.manageCoins ?? 0,
})
const noRights = rightsOf({} as MemberRecord)

type RightColumns = Pick<ImportedMemberRow, keyof ReturnType<typeof rightsOf>>

export const hasRights = (row: RightColumns): boolean =>
  row.is_write_access_admin ||
  row.manage_news + row.manage_employee + row.manage_finance + row.manage_coins > 0

type ProfileRow = Pick<ImportedMemberRow, (typeof profileColumns)[ProfileName]>

const profileOf = (record: MemberRecord) =>
  Object.fromEntries(
    profileNames.map((name) => [profileColumns[name], record[name] ?? emptied[profileColumns[name]]]),
  ) as ProfileRow

/**
 * Builds the row. A deactivated member stays so until staff reactivate the account: no one can sign up with the
 * address, and no email activates it.
 */
function rowOf(record: MemberRecord, withRights: boolean, now: Date): ImportedMemberRow {
  const created = record.createdAt ?? now
  const isActive = record.active ?? true
  return {
    id: record.id,
    email: record.email,
    language: record.language ?? 'en',
    ...profileOf(record),
    active: isActive,
    closed_at: isActive ? null : (record.updatedAt ?? now),
    activated_at: created,
    address_proved_at: record.emailProved ? created : null,
    password_hash: record.passwordHash === undefined ? null : storeImported(record.passwordHash)!,
    created_at: created,
    updated_at: record.updatedAt ?? created,
    ...(withRights ? rightsOf(record) : noRights),
  }
}

const compared: (keyof ImportedMemberRow)[] = [
  'email',
  ...profileNames.map((name) => profileColumns[name]),
  'active',
]

export async function planMembers(
  db: Tx,
  given: GivenRecords,
  { withRights }: { withRights: boolean },
): Promise<Plan<ImportedMemberRow> & Pick<MembersOfImport, 'failed'>> {
  const now = new Date()
  const { read, problems, failed } = readAll(memberRecord, given)
  const planned = read.map(({ place, value }) => ({ ...place, row: rowOf(value, withRights, now) }))
  const entitled = new Set(read.flatMap(({ value }) => (hasRights(rightsOf(value)) ? [value.id] : [])))
  const sorted = await sortByStored(
    db,
    reportRepeated(planned, problems),
    listMembersWithIds,
    (row, stored) => isSameIn(row, stored, compared),
  )
  await requireFreeAddresses(db, sorted.made, problems)
  await requireFewKinds(db, sorted.made, problems)
  return {
    ...sorted,
    problems,
    failed,
    remarks: remarksOn(sorted.made, sorted.made.filter(({ row }) => entitled.has(row.id)).length, withRights),
  }
}

async function requireFreeAddresses(
  db: Tx,
  made: readonly Planned<ImportedMemberRow>[],
  problems: Plan<never>['problems'],
): Promise<void> {
  const emails = new Set<string>()
  const found = await inParts(
    made.map(({ row }) => row.email),
    (part) => listMembersWithEmails(db, part),
  )
  const taken = new Set(found.map((each) => each.email))
  for (const each of made) {
    const { email } = each.row
    if (taken.has(email)) problems.push(problemAt(each, 'email', 'email_taken'))
    else if (emails.has(email)) problems.push(problemAt(each, 'email', 'email_twice'))
    emails.add(email)
  }
}

/** Rejects too many kinds of hashes, because each kind adds work to every sign-in. */
async function requireFewKinds(
  db: Tx,
  made: readonly Planned<ImportedMemberRow>[],
  problems: Plan<never>['problems'],
): Promise<void> {
  const kinds = new Set(await listImportedKinds(db))
  for (const each of made) {
    const { password_hash: hash } = each.row
    const kind = hash === null ? undefined : kindOfStored(hash)
    if (kind === undefined || kinds.has(kind)) continue
    if (kinds.size >= importedKindsMax) problems.push(problemAt(each, 'passwordHash', 'too_many_kinds'))
    else kinds.add(kind)
  }
}

function remarksOn(
  made: readonly Planned<ImportedMemberRow>[],
  entitled: number,
  withRights: boolean,
): string[] {
  const withoutPassword = made.filter(({ row }) => row.password_hash === null).length
  return [
    ...(withoutPassword > 0
      ? [`${withoutPassword} without a hash: they can set a password with “Forgot password”`]
      : []),
    ...(entitled > 0 && !withRights
      ? [`${entitled} have staff rights in the file, which are imported only with --with-rights`]
      : []),
    ...(entitled > 0 && withRights
      ? [
          `${entitled} have staff rights in the file: new members get them after setting a new password of at least 12 characters`,
        ]
      : []),
  ]
}
