import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import type { MailKind } from '../mail/render-mail.ts'
import { sendMail } from '../mail/send-mail.ts'
import { resetRequestLink } from '../members/member-links.ts'
import { getMemberById } from '../members/member.queries.ts'

export type Telling = { keys: Keys; config: Config }

/** A mail about the member's account, in their language, with the way out for who did not do it. */
export async function tellMember(
  db: Tx,
  { keys, config }: Telling,
  memberId: string,
  kind: MailKind,
  values: Record<string, string>,
): Promise<void> {
  const { email, language } = await getMemberById(db, memberId)
  await sendMail(db, keys, {
    kind,
    to: email,
    language,
    values: { resetLink: resetRequestLink(config), ...values },
  })
}
