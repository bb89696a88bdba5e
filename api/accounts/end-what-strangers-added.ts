import { revokeTokensOfMember } from '../api-tokens/api-token.queries.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import type { Tx } from '../db/database.ts'
import { deleteAntiPhishingPhrase } from '../mail/anti-phishing-phrase.queries.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { deleteClientsOfMember } from '../members/sign-in.queries.ts'
import { endFactors } from '../sessions/end-factors.ts'
import type { MailContext } from '../sessions/notify-member.ts'

/**
 * Whoever resets through the mailbox owns the address; who used the account before that was proved may have been a stranger
 * who signed up with it. Their factors and API tokens end, their devices are no longer known, their phrase stands in no mail. Once it was
 * proved nothing ends, so that reading somebody's mail opens no account with a factor.
 */
export async function endWhatStrangersAdded(
  db: Tx,
  context: MailContext,
  { id, address_proved_at }: MemberRow,
): Promise<void> {
  if (address_proved_at) return
  await endFactors(db, context, id)
  for (const subjectId of await revokeTokensOfMember(db, id))
    await recordAudit(db, { actorId: id, action: 'token-revoked', subjectKind: 'token', subjectId })
  await deleteClientsOfMember(db, id)
  await deleteAntiPhishingPhrase(db, id)
}
