import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import type { Keys } from '../keys.ts'
import type { ValuesFor } from '../fill.ts'
import type { MailKind, MailValue } from '../mail/render-mail.ts'
import { sendMail } from '../mail/send-mail.ts'
import { resetRequestLink } from '../site-links.ts'
import { getMemberById } from '../members/member.queries.ts'

export type Telling = { keys: Keys; config: Config }

/** What a mail needs beside the way out. */
export type Told<Kind extends MailKind> = ValuesFor<Exclude<MailValue<Kind>, 'resetLink'>>

/** A mail about the member's account, in their language, with the way out for who did not do it. */
export async function tellMember<Kind extends MailKind>(
  db: Tx,
  { keys, config }: Telling,
  memberId: string,
  kind: Kind,
  ...[values]: Told<Kind>
): Promise<void> {
  const member = await getMemberById(db, memberId)
  const all = [{ resetLink: resetRequestLink(config), ...values }]
  await sendMail(db, keys, member, kind, ...(all as unknown as ValuesFor<MailValue<Kind>>))
}
