import { DAY } from '#contract/durations.ts'
import { isRefusedByReference, transaction } from '../db/database.ts'
import { deleteMailsTo } from '../mail/mail.queries.ts'
import { deleteForgottenSignUp, listForgottenSignUps, lockMember } from '../members/member.queries.ts'
import type { Services } from '../services.ts'

const keptFor = 30 * DAY
const inOneRound = 500

/**
 * An address that nobody confirmed within 30 days of its last sign-up is forgotten, with what was mailed to it. One at a
 * time: an account that staff have written records for stays.
 */
export async function forgetUnprovedAddresses({ db }: Pick<Services, 'db'>): Promise<void> {
  for (const { id } of await listForgottenSignUps(db, keptFor, inOneRound))
    try {
      await transaction(db, async (db) => {
        // Whoever signs up with the address, or confirms it, at this moment holds the member too.
        await lockMember(db, id)
        const email = await deleteForgottenSignUp(db, id, keptFor)
        if (email !== undefined) await deleteMailsTo(db, email)
      })
    } catch (error) {
      if (!isRefusedByReference(error)) throw error
    }
}
