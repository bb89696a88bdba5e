import type { User } from '#contract/members.ts'
import type { PlainKey } from '../../i18n/message-key.ts'

/** What a member changes on their own record, with a new e-mail that waits for its code in place of the old one. */
export type ProfileFields = Pick<
  User,
  | 'displayName'
  | 'firstName'
  | 'midName'
  | 'lastName'
  | 'email'
  | 'mobile'
  | 'homePhone'
  | 'workPhone'
  | 'workEmail'
  | 'personalMember'
>

export const profileLabels: Record<keyof ProfileFields, PlainKey> = {
  displayName: 'account.profile.displayName',
  firstName: 'account.profile.firstName',
  midName: 'account.profile.midName',
  lastName: 'account.profile.lastName',
  email: 'forms.email.label',
  mobile: 'account.profile.mobile',
  homePhone: 'account.profile.homePhone',
  workPhone: 'account.profile.workPhone',
  workEmail: 'account.profile.workEmail',
  personalMember: 'account.profile.personalMember',
}

export const fieldsOf = (user: User): ProfileFields => ({
  displayName: user.displayName,
  firstName: user.firstName,
  midName: user.midName,
  lastName: user.lastName,
  email: user.pendingEmail ?? user.email,
  mobile: user.mobile,
  homePhone: user.homePhone,
  workPhone: user.workPhone,
  workEmail: user.workEmail,
  personalMember: user.personalMember,
})
