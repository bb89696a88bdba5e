import type { Source } from '../../module.ts'
import { listInvitationsOf } from './invitation.queries.ts'

/** By whose invitation the member came, as far as it is kept. */
export async function* readInvitations({ db, member }: Source) {
  for (const row of await listInvitationsOf(db, member.id))
    yield {
      invitationCode: row.code,
      signedUpInWeekOf: dayOf(row.signed_up_in),
      activatedInWeekOf: dayOf(row.activated_in),
      identifiedInWeekOf: dayOf(row.identified_in),
      isCounted: row.is_counted,
      notCountedBecause: row.flags,
    }
}

/** A date comes as midnight where the program runs. */
const dayOf = (date: Date | null): string | null =>
  date &&
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
