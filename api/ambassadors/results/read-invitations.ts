import type { Source } from '../../module.ts'
import { listInvitationsOf } from './invitation.queries.ts'

/** Exports by whose invitation the member came, if it is still stored. */
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

/** The driver returns a date as midnight in the local time zone. */
const dayOf = (date: Date | null): string | null =>
  date &&
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
