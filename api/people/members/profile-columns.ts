import * as z from 'zod/mini'
import { adminFields, employeeFields, ownFields, type User } from '#contract/people/members.ts'
import type { MemberRecord } from '../../platform/http/caller.ts'
import type { MemberRow } from './member.queries.ts'

/** Fields that contain text. Erasing a member empties them. */
const textColumns = {
  displayName: 'display_name',
  firstName: 'first_name',
  midName: 'mid_name',
  lastName: 'last_name',
  homePhone: 'home_phone',
  workPhone: 'work_phone',
  mobile: 'mobile',
  workEmail: 'work_email',
} as const

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
  ...textColumns,
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

type EmptyTexts = Record<(typeof textColumns)[keyof typeof textColumns], ''>

/**
 * The cleared values of the personal columns. Exhaustive: a new column does not compile until it is listed here
 * or as retained.
 */
export const emptied = {
  ...(Object.fromEntries(Object.values(textColumns).map((column) => [column, ''])) as EmptyTexts),
  password_hash: null,
  password_length_ok_for_staff: false,
  address_proved_at: null,
  activated_with_hash: null,
  closed_at: null,
  invitation_code: '',
  default_merchant_id: null,
  personal_member: false,
  active: false,
  is_write_access_admin: false,
  manage_news: 0,
  manage_employee: 0,
  manage_finance: 0,
  manage_coins: 0,
  finance_lost_at: null,
  opens_console: false,
  assignee_id: null,
} satisfies Omit<
  MemberRow,
  'id' | 'email' | 'language' | 'created_at' | 'activated_at' | 'updated_at' | 'erased_at'
>

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
