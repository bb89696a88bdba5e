import { findAntiPhishingPhrase } from '../mail/anti-phishing-phrase.queries.ts'
import { getMemberById } from '../members/member.queries.ts'
import type { Noun, Source } from '../noun.ts'
import { activateMember } from './activate-member.ts'
import { getAntiPhishingPhrase, setAntiPhishingPhrase } from './anti-phishing-phrase.ts'
import { confirmEmail } from './change-email.ts'
import { readAdministratorLink, sendAdministratorLink } from './administrator-link.ts'
import { askMailboxCode, proveMailbox } from './mailbox-code.ts'
import { deleteDeadMailboxCodes, dropMailboxCode } from '../members/mailbox-code.queries.ts'
import { createMember } from './create-member.ts'
import { resendActivation } from './resend-activation.ts'
import { deleteDeadEmailChanges, dropEmailChange, findPendingEmail } from './email-change.queries.ts'
import {
  changePassword,
  checkPasswordReset,
  executePasswordReset,
  requestPasswordReset,
} from './password-handlers.ts'
import { profileInFullOf } from './present-user.ts'
import { forgetUnprovedAddresses } from './forget-unproved-addresses.ts'
import { findMember, findMembers, getMember, listMembers } from './read-members.ts'
import { deleteDeadResetCodes, deleteResetCodes } from './reset-code.queries.ts'
import { deleteDeadSignUps, deleteSignUpsOfMember } from './sign-up.queries.ts'
import { memberDesk } from './console/member-desk.ts'
import { deleteErasureRequest } from './erasure-request.queries.ts'
import { deleteNotesOfMember } from './console/member-note.queries.ts'
import { readStaffNotes } from './console/member-notes.ts'
import { updateMember } from './update-member.ts'

/** Accounts: sign-up, activation, passwords, e-mail address, profile and anti-phishing phrase. */
export const accounts = {
  calls: {
    createMember,
    resendActivation,
    activateMember,
    requestPasswordReset,
    checkPasswordReset,
    executePasswordReset,
    changePassword,
    confirmEmail,
    readAdministratorLink,
    sendAdministratorLink,
    askMailboxCode,
    proveMailbox,
    findMember,
    findMembers,
    listMembers,
    getMember,
    updateMember,
    getAntiPhishingPhrase,
    setAntiPhishingPhrase,
    ...memberDesk,
  },
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
      member_note: { member_id: 'erased', author_id: 'remains', text: 'erased' },
      erasure_request: { member_id: 'erased', opened_by: 'remains', reason: 'erased' },
      reset_code: { member_id: 'erased', code_hash: 'erased' },
      email_change: { member_id: 'erased', new_email: 'erased', code_hash: 'erased' },
    },
    parts: {
      profile: { isList: false, read: readProfile },
      staffNotes: { isList: true, read: readStaffNotes },
    },
    erase: async (db, { id }) => {
      await deleteResetCodes(db, id)
      await dropEmailChange(db, id)
      await deleteNotesOfMember(db, id)
      await deleteErasureRequest(db, id)
      await dropMailboxCode(db, id)
      await deleteSignUpsOfMember(db, id)
    },
  },
  cleanUp: {
    unprovedAddresses: (services) => forgetUnprovedAddresses(services),
    deadSignUps: ({ db }) => deleteDeadSignUps(db),
    deadResetCodes: ({ db }) => deleteDeadResetCodes(db),
    deadMailboxCodes: ({ db }) => deleteDeadMailboxCodes(db),
    deadEmailChanges: ({ db }) => deleteDeadEmailChanges(db),
  },
} satisfies Noun

async function* readProfile({ db, keys, member, hasSecondFactor }: Source) {
  const row = await getMemberById(db, member.id)
  yield {
    ...profileInFullOf(row),
    pendingEmail: (await findPendingEmail(db, row.id)) ?? null,
    language: row.language,
    invitationCode: row.invitation_code,
    hasSecondFactor,
    phrase: (await findAntiPhishingPhrase(db, keys, row.id)) ?? null,
  }
}
