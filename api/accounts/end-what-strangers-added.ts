import type { Tx } from '../db/database.ts'
import { deleteAntiPhishingPhrase } from '../mail/anti-phishing-phrase.queries.ts'
import { deleteClientsOfMember, type MemberRow } from '../members/member.queries.ts'
import { endFactorsBefore } from '../sessions/end-factors-before.ts'
import type { MailContext } from '../sessions/notify-member.ts'

/**
 * Whoever resets through the mailbox owns the address; who used the account before that was proved may have been a stranger
 * who signed up with it. Their factors end, their devices are no longer known, their phrase stands in no mail.
 */
export async function endWhatStrangersAdded(
  db: Tx,
  context: MailContext,
  { id, address_proved_at }: MemberRow,
): Promise<void> {
  await endFactorsBefore(db, context, id, address_proved_at)
  if (address_proved_at) return
  await deleteClientsOfMember(db, id)
  await deleteAntiPhishingPhrase(db, id)
}
