import type { LevelValue, User } from '#contract/members.ts'
import type { Rights } from '../sessions/caller.ts'
import type { MemberRow } from './member.queries.ts'

type RightColumns = Pick<
  MemberRow,
  'is_write_access_admin' | 'manage_news' | 'manage_employee' | 'manage_finance' | 'manage_coins'
>
type WireRights = Pick<User, keyof Rights>

export const rightsOf = (row: RightColumns): WireRights => ({
  isWriteAccessAdmin: row.is_write_access_admin,
  manageNews: row.manage_news as LevelValue,
  manageEmployee: row.manage_employee as LevelValue,
  manageFinance: row.manage_finance as LevelValue,
  manageCoins: row.manage_coins as LevelValue,
})

const noRights: WireRights = {
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
}

/** The rights that count: none while the password is shorter than staff need. */
export const countingRightsOf = (
  row: RightColumns & Pick<MemberRow, 'password_length_ok_for_staff'>,
): WireRights => (row.password_length_ok_for_staff ? rightsOf(row) : noRights)

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
