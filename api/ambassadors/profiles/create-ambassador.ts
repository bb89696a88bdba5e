import type { Language } from '#contract/fields.ts'
import type { Tx } from '../../db/database.ts'
import { sendMail } from '../../mail/send-mail.ts'
import type { Services } from '../../services.ts'
import { ambassadorLink } from '../../site-links.ts'
import { newInvitationCode } from '../../readable-codes.ts'
import { insertOrLockAmbassador, lockAmbassadorOf, renewAmbassador } from './ambassador.queries.ts'

type Accepted = { applicationId: string; email: string; fullName: string; language: Language }

/**
 * Makes an ambassador of an accepted application, in the caller's transaction, and mails the invitation to fill in the
 * profile. An address is one ambassador, whatever it applied with and however often: who is one already stays as they are,
 * and who was one is one again, under the same address of their page.
 */
export async function createAmbassador(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  accepted: Accepted,
): Promise<{ id: string }> {
  const known =
    (await lockAmbassadorOf(db, accepted)) ??
    (await insertOrLockAmbassador(db, { ...accepted, code: newInvitationCode() }))
  if (known.is_new || known.ended_at !== null) {
    if (!known.is_new) await renewAmbassador(db, known.id)
    await sendMail(
      db,
      keys,
      { email: known.address ?? accepted.email, language: accepted.language },
      'ambassador-invited',
      { link: ambassadorLink(config) },
    )
  }
  return { id: known.id }
}
