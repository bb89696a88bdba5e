import { hasAnyStaffRight, type Rights } from '#contract/people/level-of.ts'
import type { LevelValue, WaitingRights } from '#contract/people/members.ts'
import type { MemberRow } from './member.queries.ts'

type RightColumns = Pick<
  MemberRow,
  'is_write_access_admin' | 'manage_news' | 'manage_employee' | 'manage_finance' | 'manage_coins'
>

export const rightsOf = (row: RightColumns): Rights => ({
  isWriteAccessAdmin: row.is_write_access_admin,
  manageNews: row.manage_news as LevelValue,
  manageEmployee: row.manage_employee as LevelValue,
  manageFinance: row.manage_finance as LevelValue,
  manageCoins: row.manage_coins as LevelValue,
})

const noRights: Rights = {
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
}

type ConditionColumns = Pick<MemberRow, 'password_length_ok_for_staff'>

/** The effective rights: none while the password is shorter than required of staff. */
export const countingRightsOf = (row: RightColumns & ConditionColumns): Rights =>
  row.password_length_ok_for_staff ? rightsOf(row) : noRights

/** Granted rights that are not effective yet, if any. */
export function waitingRightsOf(
  row: RightColumns & ConditionColumns,
  lacksFactor: boolean,
): WaitingRights | undefined {
  const granted = rightsOf(row)
  const needs: WaitingRights['needs'] = [
    ...(row.password_length_ok_for_staff ? [] : (['password'] as const)),
    ...(lacksFactor ? (['second_factor'] as const) : []),
  ]
  return hasAnyStaffRight(granted) && needs.length > 0 ? { ...granted, needs } : undefined
}
