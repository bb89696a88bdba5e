import type { Language } from '#contract/platform/fields.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Keys } from '../../platform/keys.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { resetRequestLink, signInLink } from '../../platform/site-links.ts'

/**
 * Tells a person who signed up with, or requested a code for, an account's address that it exists, or that
 * staff closed it.
 */
export const mailThatAccountExists = (
  db: Tx,
  { keys, config }: { keys: Keys; config: Config },
  { email, active }: MemberRow,
  language: Language,
): Promise<void> =>
  active
    ? sendMail(db, keys, { email, language }, 'already-member', {
        link: signInLink(config),
        resetLink: resetRequestLink(config),
      })
    : sendMail(db, keys, { email, language }, 'account-closed')
