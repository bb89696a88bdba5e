import type { ownFields, User } from '#contract/people/members.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'

type ProfileName = keyof typeof ownFields

/**
 * Fields that members can change on their own record; `email` is the pending address while one awaits its code.
 */
export type ProfileFields = Pick<User, ProfileName>

export const profileGroups = {
  name: 'account.profile.group.name',
  contact: 'account.profile.group.contact',
  account: 'account.profile.group.account',
} as const satisfies Record<string, PlainKey>

export type ProfileGroup = keyof typeof profileGroups

type ProfileField = {
  group: ProfileGroup
  label: PlainKey
  /** Label next to the saved value, if the form's label would be too long. */
  shortLabel?: PlainKey
  help?: PlainKey
  autoComplete?: string
}

/**
 * The fields of the profile in display order. The form, the view, and the comparison are built from it, and the type
 * check fails if a field that members can change is missing.
 */
export const profileFields: Readonly<Record<ProfileName, ProfileField>> = {
  displayName: {
    group: 'name',
    label: 'account.profile.displayName',
    help: 'account.profile.displayName.help',
    autoComplete: 'nickname',
  },
  firstName: { group: 'name', label: 'account.profile.firstName', autoComplete: 'given-name' },
  midName: { group: 'name', label: 'account.profile.midName', autoComplete: 'additional-name' },
  lastName: { group: 'name', label: 'account.profile.lastName', autoComplete: 'family-name' },
  email: {
    group: 'contact',
    label: 'forms.email.label',
    help: 'account.profile.email.help',
    autoComplete: 'email',
  },
  mobile: {
    group: 'contact',
    label: 'account.profile.mobile',
    help: 'account.profile.phone.help',
    autoComplete: 'mobile tel',
  },
  homePhone: {
    group: 'contact',
    label: 'account.profile.homePhone',
    help: 'account.profile.phone.help',
    autoComplete: 'home tel',
  },
  workPhone: {
    group: 'contact',
    label: 'account.profile.workPhone',
    help: 'account.profile.phone.help',
    autoComplete: 'work tel',
  },
  workEmail: { group: 'contact', label: 'account.profile.workEmail', autoComplete: 'work email' },
  personalMember: {
    group: 'account',
    label: 'account.profile.personalMember',
    shortLabel: 'account.profile.personalMember.short',
  },
}

export const profileNames = Object.keys(profileFields) as ProfileName[]

export const namesIn = (group: ProfileGroup): ProfileName[] =>
  profileNames.filter((name) => profileFields[name].group === group)

export const profileLabels = Object.fromEntries(
  profileNames.map((name) => [name, profileFields[name].label]),
) as Record<ProfileName, PlainKey>

export const fieldsOf = (user: User): ProfileFields => ({
  ...(Object.fromEntries(profileNames.map((name) => [name, user[name]])) as ProfileFields),
  email: user.pendingEmail ?? user.email,
})
