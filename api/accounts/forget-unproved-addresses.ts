import { DAY } from '#contract/durations.ts'
import { noteForgotten } from '../ambassadors/results/note-invitation.ts'
import { isRefusedByReference, transaction } from '../db/database.ts'
import { eraseMailsOf } from '../mail/mail.queries.ts'
import {
  deleteForgottenSignUp,
  isForgottenSignUp,
  listForgottenSignUps,
  lockMember,
} from '../members/member.queries.ts'
import type { Services } from '../services.ts'

const keptFor = 30 * DAY
const inOneRound = 500

/**
 * An address that nobody confirmed within 30 days of its last sign-up is forgotten, with what was mailed for that and what it
 * counted for an ambassador. One at a time: an account that staff have written records for stays.
 */
export async function forgetUnprovedAddresses({ db }: Pick<Services, 'db'>): Promise<void> {
  for (const { id } of await listForgottenSignUps(db, keptFor, inOneRound))
    try {
      await transaction(db, async (db) => {
        // Whoever signs up with the address, or confirms it, at this moment holds the member too.
        const member = await lockMember(db, id)
        if (!member || !(await isForgottenSignUp(db, id, keptFor))) return
        await noteForgotten(db, id)
        await eraseMailsOf(db, member)
        await deleteForgottenSignUp(db, id)
      })
    } catch (error) {
      if (!isRefusedByReference(error)) throw error
    }
}
