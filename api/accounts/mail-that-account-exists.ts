import type { Language } from '#contract/fields.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { resetRequestLink, signInLink } from '../site-links.ts'

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
