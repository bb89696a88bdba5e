import type { Language } from '#contract/platform/fields.ts'
import { announceChange } from '../../../platform/db/changes.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { sendMail } from '../../../platform/mail/send-mail.ts'
import { newInvitationCode } from '../../../platform/text/readable-codes.ts'
import type { Services } from '../../../platform/services.ts'
import { ambassadorLink } from '../../../platform/site-links.ts'
import { linkApplication } from '../applications/application.queries.ts'
import { insertAmbassador, lockAmbassadorOf, renewAmbassador } from './ambassador.queries.ts'

type Accepted = { applicationId: string; email: string; fullName: string; language: Language }

/**
 * Makes the sender of an accepted application an ambassador, in the caller's transaction. A mailbox has one ambassador,
 * however often it applies: a current one stays unchanged, and a former one becomes active again with the same page
 * address. Each acceptance is emailed, with the next steps.
 */
export async function createAmbassador(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  { applicationId, email, fullName, language }: Accepted,
): Promise<{ id: string }> {
  const known = await lockAmbassadorOf(db, email)
  const { id } =
    known ?? (await insertAmbassador(db, { email, full_name: fullName, language, code: newInvitationCode() }))
  if (!(await linkApplication(db, applicationId, id))) return { id }
  if (known?.ended_at) {
    await renewAmbassador(db, id)
    // The page showed when the ambassadorship ended.
    await announceChange(db, 'ambassadors')
  }
  await sendMail(db, keys, { email: known?.address ?? email, language }, kindOf(known), {
    link: ambassadorLink(config),
  })
  return { id }
}

/**
 * Returns the email for the acceptance. Only a member who joined is identified by their account; an address identifies
 * no one.
 */
function kindOf(known: Awaited<ReturnType<typeof lockAmbassadorOf>>) {
  if (!known || known.member_id === null) return 'ambassador-invited'
  return known.ended_at === null ? 'ambassador-already' : 'ambassador-again'
}
