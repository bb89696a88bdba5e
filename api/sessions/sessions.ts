import type { Noun, Source } from '../noun.ts'
import { deleteFactors, getFactors, renewRecoveryCodes } from './factors.ts'
import {
  beginPasskey,
  finishPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './passkeys/passkey-handlers.ts'
import { beginPasskeySignIn, finishPasskeySignIn } from './passkeys/passkey-sign-in.ts'
import {
  deleteChallengesOfMember,
  deleteDeadChallenges,
  listPasskeysOfMember,
} from './passkeys/passkey.queries.ts'
import { deleteDeadSessions } from './delete-dead-sessions.ts'
import { deleteOldDevices, forgetDevices } from './known-device.queries.ts'
import { askLostFactor, stopLostFactor } from './lost-factors/ask-lost-factor.ts'
import {
  confirmLostFactor,
  declineLostFactor,
  listLostFactors,
  openLostFactor,
} from './lost-factors/decide-lost-factor.ts'
import { endLostFactorsDue } from './lost-factors/end-lost-factor.ts'
import { deleteLostFactorsOfMember } from './lost-factors/lost-factor.queries.ts'
import { restoreSession } from './refresh/refresh-session.ts'
import { listSessions, revokeOtherSessions, revokeSession, signOut } from './session-handlers.ts'
import { deleteSessionsOfMember, listSessionsOfMember } from './session.queries.ts'
import { signIn } from './sign-in.ts'
import { beginStepUp, stepUp } from './step-up.ts'
import { beginTotp, confirmTotp, removeTotp } from './totp.ts'

/** Authentication: sign-in, second factors, passkeys, step-up and sessions. */
export const sessions = {
  calls: {
    signIn,
    restoreSession,
    signOut,
    listSessions,
    revokeSession,
    revokeOtherSessions,
    askLostFactor,
    stopLostFactor,
    listLostFactors,
    openLostFactor,
    confirmLostFactor,
    declineLostFactor,
    beginStepUp,
    stepUp,
    getFactors,
    renewRecoveryCodes,
    beginTotp,
    confirmTotp,
    removeTotp,
    listPasskeys,
    beginPasskey,
    finishPasskey,
    renamePasskey,
    removePasskey,
    beginPasskeySignIn,
    finishPasskeySignIn,
  },
  personal: {
    columns: {
      session: {
        member_id: 'erased',
        device: 'erased',
        place: 'erased',
        refresh_hash: 'erased',
        previous_refresh_hash: 'erased',
        xsrf_hash: 'erased',
      },
      lost_factor: {
        member_id: 'erased',
        opened_by: 'remains',
        opened_how: 'erased',
        confirmed_by: 'remains',
      },
      known_device: { token_hash: 'erased', member_id: 'erased' },
      spent_refresh_token: { token_hash: 'erased', session_id: 'erased' },
      access_token: { token_hash: 'erased', session_id: 'erased' },
      totp: { member_id: 'erased', sealed_secret: 'erased' },
      recovery_code: { member_id: 'erased', code_hash: 'erased' },
      passkey: {
        member_id: 'erased',
        name: 'erased',
        credential_id: 'erased',
        public_key: 'erased',
        transports: 'erased',
      },
      passkey_challenge: { member_id: 'erased', challenge_hash: 'erased' },
    },
    parts: {
      sessions: { isList: true, read: readSessions },
      passkeys: { isList: true, read: readPasskeys },
    },
    erases: { sessions: async () => true },
    erase: async (db, { id }) => {
      await deleteSessionsOfMember(db, id)
      await forgetDevices(db, id)
      await deleteLostFactorsOfMember(db, id)
      await deleteFactors(db, id)
      await deleteChallengesOfMember(db, id)
    },
  },
  cleanUp: {
    deadSessions: deleteDeadSessions,
    lostFactors: endLostFactorsDue,
    oldDevices: ({ db }) => deleteOldDevices(db),
    deadChallenges: ({ db }) => deleteDeadChallenges(db),
  },
} satisfies Noun

async function* readSessions({ db, member }: Source) {
  for (const row of await listSessionsOfMember(db, member.id))
    yield {
      device: row.device,
      place: row.place,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at.toISOString(),
    }
}

async function* readPasskeys({ db, member }: Source) {
  for (const row of await listPasskeysOfMember(db, member.id))
    yield {
      name: row.name,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    }
}
