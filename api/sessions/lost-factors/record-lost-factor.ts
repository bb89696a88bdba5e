import { recordAudit } from '../../audit/audit.queries.ts'
import type { Tx } from '../../db/database.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { getMemberById } from '../../members/member.queries.ts'
import { resetRequestLink, signInLink } from '../../site-links.ts'
import type { MailContext } from '../notify-member.ts'
import { stopLinkOf } from './stop-code.ts'

type Step =
  | 'lost-factor-asked'
  | 'lost-factor-opened'
  | 'lost-factor-confirmed'
  | 'lost-factor-declined'
  | 'lost-factor-stopped'
  | 'lost-factor-done'

/** Every step is emailed to the member, with the link that stops it, and written to the audit log. */
export async function recordLostFactor(
  db: Tx,
  { keys, config }: MailContext,
  { id, memberId, by }: { id: string; memberId: string; by: string | null },
  step: Step,
): Promise<void> {
  const member = await getMemberById(db, memberId)
  const values = {
    stopLink: stopLinkOf(keys, config, id, member.email),
    resetLink: resetRequestLink(config),
    link: signInLink(config),
  }
  await sendMail(db, keys, member, step, values)
  await recordAudit(db, {
    actorId: by,
    action: step,
    subjectKind: 'member',
    subjectId: memberId,
  })
}
