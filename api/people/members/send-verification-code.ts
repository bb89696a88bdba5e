import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { hashSecret, type Keys } from '../../platform/keys.ts'
import { mailKinds } from '../../platform/mail/mail-kinds.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { newEmailCode, normalizeCode } from '../../platform/text/readable-codes.ts'
import { resetRequestLink } from '../../platform/site-links.ts'
import { holdMailboxCode } from './mailbox-code.queries.ts'
import type { MemberRow } from './member.queries.ts'

/**
 * Emails a new code by which the user of the account verifies the email address. The caller holds a permit for
 * the email.
 */
export async function mailMailboxCode(
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  member: MemberRow,
): Promise<void> {
  const code = newEmailCode()
  await holdMailboxCode(
    db,
    member.id,
    hashSecret(normalizeCode(code)),
    mailKinds['mailbox-code'].expiresAfter,
  )
  await sendMail(db, keys, member, 'mailbox-code', { code, resetLink: resetRequestLink(config) })
}
