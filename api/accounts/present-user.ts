import type { User } from '#contract/members.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { profileOf } from '../members/profile-columns.ts'
import { rightsOf } from '../members/rights.ts'

/** A member as the API shows one: only the fields of the contract, so that a new column is not exposed by accident. */
export const presentUser = (row: MemberRow): User => ({
  _id: row.id,
  id: row.id,
  email: row.email,
  ...profileOf(row),
  ...rightsOf(row),
  memberSince: row.created_at.toISOString(),
  lastUpdated: row.updated_at.toISOString(),
})
