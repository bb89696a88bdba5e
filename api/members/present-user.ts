import type { User } from '#contract/members.ts'
import type { Rights } from '../sessions/caller.ts'
import type { MemberRow } from './member.queries.ts'

export const rightsOf = (
  row: MemberRow,
): Rights & {
  manageNews: 0 | 1 | 2
  manageEmployee: 0 | 1 | 2
  manageFinance: 0 | 1 | 2
  manageCoins: 0 | 1 | 2
} => ({
  isWriteAccessAdmin: row.is_write_access_admin,
  manageNews: row.manage_news as 0 | 1 | 2,
  manageEmployee: row.manage_employee as 0 | 1 | 2,
  manageFinance: row.manage_finance as 0 | 1 | 2,
  manageCoins: row.manage_coins as 0 | 1 | 2,
})

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
