import { findAntiPhishingPhrase } from '../../platform/mail/anti-phishing-phrase.queries.ts'
import { getMemberById } from '../members/member.queries.ts'
import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import * as activateMember from './activate-member.ts'
import * as changeEmail from './change-email.ts'
import * as mailboxCode from './mailbox-code.ts'
import { deleteDeadMailboxCodes, deleteMailboxCode } from '../members/mailbox-code.queries.ts'
import * as consoleStart from './console-start.ts'
import * as createMember from './create-member.ts'
import * as resendActivation from './resend-activation.ts'
import { deleteDeadEmailChanges, cancelEmailChange, findEmailChange } from './email-change.queries.ts'
import * as emailCorrection from './email-correction.ts'
import * as passwordHandlers from './password-handlers.ts'
import { profileInFullOf } from './present-user.ts'
import { purgeUnverifiedAccounts } from './purge-unverified-accounts.ts'
import * as readMembers from './read-members.ts'
import { deleteDeadResetCodes, deleteResetCodes } from './reset-code.queries.ts'
import { deleteInvitationsOfMember } from './staff-invitation.queries.ts'
import { deleteDeadSignUps, deleteSignUpsOfMember } from './sign-up.queries.ts'
import * as askErasure from './console/ask-erasure.ts'
import * as assignMembers from './console/assign-members.ts'
import * as clearMailboxRefusal from './console/clear-mailbox-refusal.ts'
import * as changeAccount from './console/change-account.ts'
import * as correctEmail from './console/correct-email.ts'
import * as consoleMembers from './console/list-members.ts'
import * as inviteStaff from './console/invite-staff.ts'
import * as mailMember from './console/mail-member.ts'
import * as memberNotes from './console/member-notes.ts'
import { deleteErasureRequest } from './erasure-request.queries.ts'
import * as updateMember from './update-member.ts'

/** Accounts: sign-up, activation, passwords, email address, profile, and anti-phishing phrase. */
export const accounts = {
  calls: collectHandlers(
    activateMember,
    changeEmail,
    emailCorrection,
    mailboxCode,
    consoleStart,
    createMember,
    resendActivation,
    passwordHandlers,
    readMembers,
    updateMember,
    askErasure,
    assignMembers,
    clearMailboxRefusal,
    changeAccount,
    correctEmail,
    consoleMembers,
    inviteStaff,
    mailMember,
    memberNotes,
  ),
  personal: {
    columns: {
      sign_up: {
        member_id: 'erased',
        code_hash: 'erased',
        password_hash: 'erased',
        first_name: 'erased',
        last_name: 'erased',
        invitation_code: 'erased',
        consents: 'erased',
        consented_from: 'erased',
      },
      configured_grant: { address_hash: 'remains' },
      mailbox_code: { member_id: 'erased', code_hash: 'erased' },
      erasure_request: { member_id: 'erased', opened_by: 'remains', reason: 'erased' },
      reset_code: { member_id: 'erased', code_hash: 'erased' },
      staff_invitation: {
        member_id: 'erased',
        email: 'erased',
        invited_by: 'remains',
        revoked_by: 'remains',
      },
      email_change: {
        member_id: 'erased',
        new_email: 'erased',
        code_hash: 'erased',
        opened_by: 'remains',
        proved_code_hash: 'erased',
      },
    },
    parts: {
      profile: { isList: false, read: readProfile },
    },
    erase: async (db, { id }) => {
      await deleteResetCodes(db, id)
      await cancelEmailChange(db, id)
      await deleteErasureRequest(db, id)
      await deleteMailboxCode(db, id)
      await deleteSignUpsOfMember(db, id)
      await deleteInvitationsOfMember(db, id)
    },
  },
  cleanUp: {
    unprovedAddresses: (services) => purgeUnverifiedAccounts(services),
    deadSignUps: ({ db }) => deleteDeadSignUps(db),
    deadResetCodes: ({ db }) => deleteDeadResetCodes(db),
    deadMailboxCodes: ({ db }) => deleteDeadMailboxCodes(db),
    dueEmailChanges: (services) => emailCorrection.applyDueEmailChanges(services),
    deadEmailChanges: ({ db }) => deleteDeadEmailChanges(db),
  },
} satisfies Module

async function* readProfile({ db, keys, member, hasSecondFactor }: Source) {
  const row = await getMemberById(db, member.id)
  yield {
    ...profileInFullOf(row),
    pendingEmail: (await findEmailChange(db, row.id))?.new_email ?? null,
    language: row.language,
    opensConsole: row.opens_console,
    invitationCode: row.invitation_code,
    hasSecondFactor,
    phrase: (await findAntiPhishingPhrase(db, keys, row.id)) ?? null,
  }
}
