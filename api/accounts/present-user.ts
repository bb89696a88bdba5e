import type { User } from '#contract/members.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { rightsOf } from '../members/rights.ts'

/** A member as the API shows one, field by field: a new column does not leave by itself. */
export const presentUser = (row: MemberRow): User => ({
  _id: row.id,
  id: row.id,
  email: row.email,
  displayName: row.display_name,
  firstName: row.first_name,
  midName: row.mid_name,
  lastName: row.last_name,
  homePhone: row.home_phone,
  workPhone: row.work_phone,
  mobile: row.mobile,
  workEmail: row.work_email,
  active: row.active,
  personalMember: row.personal_member,
  ...rightsOf(row),
  memberSince: row.created_at.toISOString(),
  lastUpdated: row.updated_at.toISOString(),
})
