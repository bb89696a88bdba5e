import * as z from 'zod/mini'
import { consents } from './consents.ts'
import { anyone, endpoint, member, selfOrStaff, staff } from '../platform/endpoint.ts'
import {
  currentPassword,
  done,
  email,
  emailLengthMax,
  id,
  line,
  mailedCode,
  newPassword,
  noBody,
  page,
  personName,
  phone,
  time,
} from '../platform/fields.ts'

export const level = z.union([z.literal(0), z.literal(1), z.literal(2)])
export type LevelValue = z.infer<typeof level>

export const rights = {
  isWriteAccessAdmin: z.boolean(),
  manageNews: level,
  manageEmployee: level,
  manageFinance: level,
  manageCoins: level,
}

/**
 * Granted rights that are not effective yet, and what the account still needs: a password of the length required of
 * staff, or a second factor if staff must have one. Omitted if all granted rights are effective.
 */
export const waitingRights = z.object({
  ...rights,
  needs: z.array(z.enum(['password', 'second_factor'])),
})
export type WaitingRights = z.infer<typeof waitingRights>

export const user = z.object({
  _id: id,
  id,
  email: z.string(),
  displayName: z.string(),
  firstName: z.string(),
  midName: z.string(),
  lastName: z.string(),
  homePhone: z.string(),
  workPhone: z.string(),
  mobile: z.string(),
  workEmail: z.string(),
  active: z.boolean(),
  personalMember: z.boolean(),
  /** Effective rights. There are none while the password is shorter than required of staff. */
  ...rights,
  waitingRights: z.optional(waitingRights),
  memberSince: time,
  lastUpdated: time,
  /** A new email address that awaits its emailed code. Only the member sees it. */
  pendingEmail: z.optional(z.string()),
})
export type User = z.infer<typeof user>

/** Fields that members may change on their own record. */
export const ownFields = {
  displayName: z.optional(personName),
  firstName: z.optional(personName),
  midName: z.optional(personName),
  lastName: z.optional(personName),
  homePhone: z.optional(phone),
  workPhone: z.optional(phone),
  mobile: z.optional(phone),
  workEmail: z.optional(z.union([z.literal(''), email])),
  personalMember: z.optional(z.boolean()),
  email: z.optional(email),
}

/** Fields that the employee level may also change, on any record. */
export const employeeFields = { active: z.optional(z.boolean()) }

/** Fields that only an administrator may change, on any record. */
export const adminFields = {
  isWriteAccessAdmin: z.optional(z.boolean()),
  manageNews: z.optional(level),
  manageEmployee: z.optional(level),
  manageFinance: z.optional(level),
  manageCoins: z.optional(level),
}

export const createMember = endpoint('POST', 'members/create', {
  about:
    'Sign up. The response is the same if the address already has an account; its owner is then notified by email.',
  access: anyone,
  proofOfWorkAfter: 30,
  status: 201,
  body: z.strictObject({
    email,
    password: newPassword,
    firstName: z.optional(personName),
    lastName: z.optional(personName),
    /** An invalid code must never prevent a sign-up, so it counts as no code. */
    // oxlint-disable-next-line promise/valid-params -- not a promise
    invitationCode: z.catch(z.optional(line(100)), undefined),
    app: z.optional(line(100)),
    /** The documents accepted in the form. Members who sent none are asked after signing in. */
    consents: z.optional(consents),
  }),
  output: z.object({ email: z.string(), active: z.literal(false) }),
})

export const resendActivation = endpoint('POST', 'members/resendactivation', {
  about:
    'Resend the activation email. Codes that were sent earlier stay valid. The response is always the same.',
  access: anyone,
  proofOfWorkAfter: 10,
  status: 202,
  body: z.strictObject({ email }),
  output: done('sent'),
})

/** Lenient on purpose: the response to every invalid code is `false`. */
export const activateMember = endpoint('GET', 'members/activation/:email/:code', {
  about:
    'Activate an account with the emailed code. Returns `true`, also when repeated within 24 hours, and `false` for any other code.',
  access: anyone,
  inMaintenance: 'refused',
  params: z.strictObject({
    email: line(emailLengthMax).check(z.toLowerCase()),
    code: z.string().check(z.maxLength(128)),
  }),
  output: z.boolean(),
})

export const requestPasswordReset = endpoint('POST', 'members/requestpwdreset', {
  about: 'Email a link to set a new password. The response is always the same.',
  access: anyone,
  proofOfWorkAfter: 10,
  status: 202,
  body: z.strictObject({ email }),
  output: done('sent'),
})

export const checkPasswordReset = endpoint('POST', 'members/checkpwdreset', {
  about:
    'Check whether an emailed code is still valid, and get the requirements for the new password. The code is not used up.',
  access: anyone,
  body: z.strictObject({ id, pwdresetcode: mailedCode }),
  output: z.object({
    email: z.string(),
    passwordLengthMin: z.int(),
    /** The staff rights that the new password grants, and who invited the member. */
    invitation: z.optional(z.object({ by: z.string(), ...rights })),
  }),
  errors: ['reset_code_invalid'],
})

export const executePasswordReset = endpoint('POST', 'members/exepwdreset', {
  about:
    'Set a new password with the emailed code. All of the member’s sessions are terminated. The code works once and is valid for 30 minutes.',
  access: anyone,
  body: z.strictObject({ id, pwdresetcode: mailedCode, passwd: newPassword }),
  output: done('changed'),
  errors: ['reset_code_invalid'],
})

export const changePassword = endpoint('POST', 'members/changepassword', {
  about: 'Change the caller’s own password. All other sessions are terminated.',
  access: member,
  body: z.strictObject({ passwd: newPassword, current: currentPassword }),
  output: done('changed'),
  errors: ['credentials_invalid', 'step_up_required'],
})

export const confirmEmail = endpoint('POST', 'members/confirmemail', {
  about: 'Confirm the pending email address with the code that was sent to it.',
  access: member,
  body: z.strictObject({ code: mailedCode }),
  output: user,
  errors: ['code_invalid'],
})

/** The member and the code in an emailed link about a change of address. */
const emailChangeLink = z.strictObject({ id, code: mailedCode })

export const confirmNewEmail = endpoint('POST', 'members/email/confirm', {
  about:
    'Confirm the new address of a change that staff started, with the link that was sent to it. The change takes effect one day after it was started, so that the current address can stop it. `takesEffectAt` is null if the address was changed at once because that day has passed.',
  access: anyone,
  body: emailChangeLink,
  output: z.object({ takesEffectAt: z.nullable(time) }),
  errors: ['code_invalid'],
})

export const stopEmailChange = endpoint('POST', 'members/email/stop', {
  about: 'Stop a change of address that staff started, with the link that was sent to the current address.',
  access: anyone,
  body: emailChangeLink,
  output: done('stopped'),
  errors: ['code_invalid'],
})

export const readAdministratorLink = endpoint('GET', 'members/administratorlink', {
  about:
    'Get whether ADMIN_EMAILS lists the caller’s address and its rights are pending until a password is set by email, and whether an emailed link for that is still valid.',
  access: member,
  output: z.object({ isWaiting: z.boolean(), isSent: z.boolean() }),
})

export const sendAdministratorLink = endpoint('POST', 'members/administratorlink', {
  about: 'Email that link again. `sent` is false if no rights are pending.',
  access: member,
  body: noBody,
  output: z.object({ sent: z.boolean() }),
  errors: ['conflict'],
})

export const requestVerificationCode = endpoint('POST', 'members/mailbox/ask', {
  about: 'Email a verification code to the caller’s own address, if it is not verified yet.',
  access: member,
  body: noBody,
  output: done('sent'),
  errors: ['conflict'],
})

export const verifyEmail = endpoint('POST', 'members/mailbox/prove', {
  about:
    'Verify the caller’s email address with the emailed code. From then on, a password reset by email keeps the second factors.',
  access: member,
  body: z.strictObject({ code: mailedCode }),
  output: done('proved'),
  errors: ['code_invalid'],
})

export const findMember = endpoint('POST', 'members/findOne', {
  about: 'Find one member by ID or by exact email address.',
  access: selfOrStaff('employee', 1),
  inMaintenance: 'reads',
  auditsAccess: 'member',
  body: z
    .strictObject({ _id: z.optional(id), id: z.optional(id), email: z.optional(email) })
    .check(
      z.refine((body) => Boolean(body._id ?? body.id ?? body.email), { error: 'required', path: ['email'] }),
    ),
  output: user,
  errors: ['not_found'],
})

export const findMembers = endpoint('POST', 'members/find', {
  about:
    'Find the members that match all given fields. `q` is an ID, or words from the email address and names. Words match anywhere; words of one or two letters match only the beginning.',
  access: staff('employee', 1),
  inMaintenance: 'reads',
  auditsAccess: 'member',
  query: page,
  body: z.strictObject({
    email: z.optional(email),
    displayName: z.optional(personName),
    active: z.optional(z.boolean()),
    isWriteAccessAdmin: z.optional(z.boolean()),
    q: z.optional(line(200)),
  }),
  output: z.array(user),
})

export const listMembers = endpoint('GET', 'members/', {
  about: 'List all members, newest first.',
  access: staff('employee', 1),
  auditsAccess: 'member',
  query: page,
  output: z.array(user),
})

export const getMember = endpoint('GET', 'members/:id', {
  about: 'Get one member.',
  access: selfOrStaff('employee', 1),
  auditsAccess: 'member',
  params: z.strictObject({ id }),
  output: user,
  errors: ['not_found'],
})

/**
 * Loose on purpose: a field that does not exist, or that the caller cannot write, returns `forbidden`, and nothing is
 * written. `validation_failed` is only for fields that the caller can write.
 */
export const updateMember = endpoint('POST', 'members/FindOneAndUpdate', {
  about:
    'Update a member: members update their own profile, the employee level can update `active`, and administrators can update rights.',
  access: selfOrStaff('employee', 2),
  body: z.looseObject({ _id: z.optional(id), id: z.optional(id), lastUpdated: z.optional(time) }),
  output: user,
  errors: ['not_found', 'conflict', 'last_admin', 'member_is_staff', 'step_up_required'],
})

export const antiPhishingPhraseLengthMax = 60
const bareAddress = /:\/\/|www\.|[\p{L}\p{N}-]\.\p{L}{2,}/iu
/** Characters that change the direction of the surrounding text. */
const directionMarks = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/** Plain words without anything that an email client would turn into a link. Empty means no phrase. */
export const antiPhishingPhrase = line(antiPhishingPhraseLengthMax).check(
  z.refine((value) => !bareAddress.test(value) && !directionMarks.test(value), 'invalid'),
)

const memberPhrase = z.object({ phrase: z.string() })

export const getAntiPhishingPhrase = endpoint('GET', 'members/phrase', {
  about:
    'Get the anti-phishing phrase that every email to the member quotes, so that they can recognize forged emails. Empty if there is none.',
  access: member,
  output: memberPhrase,
})

export const setAntiPhishingPhrase = endpoint('POST', 'members/phrase', {
  about: 'Set or change the anti-phishing phrase, or remove it with an empty string.',
  access: member,
  body: z.strictObject({ phrase: antiPhishingPhrase }),
  output: memberPhrase,
})
