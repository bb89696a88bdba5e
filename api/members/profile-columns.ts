import * as z from 'zod/mini'
import { adminFields, employeeFields, ownFields, type User } from '#contract/members.ts'
import type { MemberRecord } from '../http/caller.ts'
import type { MemberRow } from './member.queries.ts'

/** Every field that a member or staff can change. */
export const changeableFields = z.strictObject({ ...ownFields, ...employeeFields, ...adminFields })
export type MemberFields = z.infer<typeof changeableFields>

type Values = { [Field in keyof MemberFields]-?: Exclude<MemberFields[Field], undefined> }
type ColumnsFor<Value> = {
  [Column in keyof MemberRow]: Value extends MemberRow[Column] ? Column : never
}[keyof MemberRow]

/**
 * The column of each field, except the email address, which changes only by its emailed code. A field of the
 * contract that is missing here, or that the contract does not show, does not compile.
 */
export const profileColumns = {
  displayName: 'display_name',
  firstName: 'first_name',
  midName: 'mid_name',
  lastName: 'last_name',
  homePhone: 'home_phone',
  workPhone: 'work_phone',
  mobile: 'mobile',
  workEmail: 'work_email',
  personalMember: 'personal_member',
  active: 'active',
  isWriteAccessAdmin: 'is_write_access_admin',
  manageNews: 'manage_news',
  manageEmployee: 'manage_employee',
  manageFinance: 'manage_finance',
  manageCoins: 'manage_coins',
} as const satisfies {
  [Field in Exclude<keyof Values, 'email'>]: Field extends keyof User ? ColumnsFor<Values[Field]> : never
}

/** The columns of a record as it is shown. */
export const recordColumns = [
  'id',
  'email',
  'created_at',
  'updated_at',
  'password_length_ok_for_staff',
  ...Object.values(profileColumns),
] as const satisfies readonly (keyof MemberRecord)[]

type Profile = { [Field in keyof typeof profileColumns]: MemberRow[(typeof profileColumns)[Field]] }

/** The current fields of the row. */
export const profileOf = (row: MemberRecord): Profile =>
  Object.fromEntries(Object.entries(profileColumns).map(([field, column]) => [field, row[column]])) as Profile

/** The columns with staff rights. */
export const rightColumns = (Object.keys(adminFields) as (keyof typeof adminFields)[]).map(
  (field) => profileColumns[field],
)
