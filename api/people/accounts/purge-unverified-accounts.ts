import { DAY } from '#contract/platform/durations.ts'
import { recordDeletedSignUp } from '../ambassadors/results/record-invitation.ts'
import { isRefusedByReference, transaction } from '../../platform/db/database.ts'
import { eraseMailsOf } from '../../platform/mail/mail.queries.ts'
import {
  deleteForgottenSignUp,
  isForgottenSignUp,
  listForgottenSignUps,
  lockMember,
} from '../members/member.queries.ts'
import type { Services } from '../../platform/services.ts'

const keptFor = 30 * DAY
const inOneRound = 500

/**
 * Deletes addresses that were not confirmed within 30 days of their last sign-up, with their emails and their
 * ambassador counts. One at a time; an account with staff records is kept.
 */
export async function purgeUnverifiedAccounts({ db }: Pick<Services, 'db'>): Promise<void> {
  for (const { id } of await listForgottenSignUps(db, keptFor, inOneRound))
    try {
      await transaction(db, async (db) => {
        // A concurrent sign-up or confirmation locks the member too.
        const member = await lockMember(db, id)
        if (!member || !(await isForgottenSignUp(db, id, keptFor))) return
        await recordDeletedSignUp(db, id)
        await eraseMailsOf(db, member)
        await deleteForgottenSignUp(db, id)
      })
    } catch (error) {
      if (!isRefusedByReference(error)) throw error
    }
}
