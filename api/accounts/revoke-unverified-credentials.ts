import { revokeTokensOfMember } from '../api-tokens/revoke-tokens.ts'
import type { Tx } from '../db/database.ts'
import { deleteAntiPhishingPhrase } from '../mail/anti-phishing-phrase.queries.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { deleteClientsOfMember } from '../members/sign-in.queries.ts'
import { revokeFactors } from '../sessions/factors.ts'
import type { MailContext } from '../sessions/notify-member.ts'

/**
 * A reset by email proves ownership of the address; earlier users of an unverified account may have been
 * strangers who signed up with it. Their factors and API tokens are removed, their devices are forgotten, and
 * their phrase is deleted. In a verified account nothing is removed, so that access to someone's email does not
 * open an account with a factor.
 */
export async function revokeUnverifiedCredentials(
  db: Tx,
  context: MailContext,
  { id, address_proved_at }: MemberRow,
): Promise<void> {
  if (address_proved_at) return
  await revokeFactors(db, context, id)
  await revokeTokensOfMember(db, id)
  await deleteClientsOfMember(db, id)
  await deleteAntiPhishingPhrase(db, id)
}
