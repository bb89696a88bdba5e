import type { Language } from '#contract/fields.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import { sendMail } from '../mail/send-mail.ts'
import type { MemberRow } from '../members/member.queries.ts'
import { resetRequestLink, signInLink } from '../site-links.ts'

/** To whoever signed up, or asked for a code, with the address of an account: that it is there, or that staff closed it. */
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
