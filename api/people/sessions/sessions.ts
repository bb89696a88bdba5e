import * as factors from './factors.ts'
import * as passkeyHandlers from './passkeys/passkey-handlers.ts'
import * as requestAccountRecovery from './lost-factors/ask-lost-factor.ts'
import * as decideLostFactor from './lost-factors/decide-lost-factor.ts'
import * as refreshSession from './refresh/refresh-session.ts'
import * as sessionHandlers from './session-handlers.ts'
import * as signIn from './sign-in.ts'
import * as stepUp from './step-up.ts'
import * as totp from './totp.ts'
import { collectHandlers, type Module, type Source } from '../../platform/module.ts'
import { deleteFactors } from './factors.ts'
import {
  deleteChallengesOfMember,
  deleteDeadChallenges,
  listPasskeysOfMember,
} from './passkeys/passkey.queries.ts'
import { deleteOldDevices, deleteDevices } from './known-device.queries.ts'
import { endLostFactorsDue } from './lost-factors/end-lost-factor.ts'
import { deleteLostFactorsOfMember } from './lost-factors/lost-factor.queries.ts'
import {
  deleteSessionsOfMember,
  listSessionsOfMember,
  deleteSomeDeadAccessTokens,
  deleteSomeDeadSessions,
} from './session.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Services } from '../../platform/services.ts'
import { deleteSurplusSpent } from './refresh/refresh-token.queries.ts'

/** Authentication: sign-in, second factors, passkeys, step-up and sessions. */
export const sessions = {
  calls: collectHandlers(
    factors,
    passkeyHandlers,
    requestAccountRecovery,
    decideLostFactor,
    refreshSession,
    sessionHandlers,
    signIn,
    stepUp,
    totp,
  ),
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
      await deleteDevices(db, id)
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
} satisfies Module

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

/** In batches, so that no statement is cancelled for its duration, and deletions are kept. */
async function deleteDeadSessions({ db, lifecycle }: Services): Promise<void> {
  const batch = (work: (db: Tx) => Promise<boolean>) => transaction(db, work)
  while (!lifecycle.isStopping && (await batch(deleteSomeDeadAccessTokens))) continue
  // First, so that deleting a session deletes few tokens.
  await deleteSurplusSpent(db, lifecycle)
  while (!lifecycle.isStopping && (await batch(deleteSomeDeadSessions))) continue
}
