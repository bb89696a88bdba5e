import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Keys } from '../../platform/keys.ts'
import type { ValuesFor } from '../../platform/text/fill.ts'
import { formatMoment } from '../../platform/text/format-time.ts'
import type { MailKind, MailValue } from '../../platform/mail/mail-kinds.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { resetRequestLink } from '../../platform/site-links.ts'
import { getMemberById } from '../members/member.queries.ts'

export type MailContext = { keys: Keys; config: Config }

type Needed<Kind extends MailKind> = Exclude<MailValue<Kind>, 'resetLink'>
/**
 * The placeholders of an email, except the link to reset the password. Times are formatted in the member's
 * language.
 */
export type NoticeValues<Kind extends MailKind> = [Needed<Kind>] extends [never]
  ? []
  : [values: Readonly<Record<Needed<Kind>, string | number | Date>>]

/**
 * An email about the member's account in their language, with a link to reset the password in case they did not
 * do it.
 */
export async function notifyMember<Kind extends MailKind>(
  db: Tx,
  { keys, config }: MailContext,
  memberId: string,
  kind: Kind,
  ...[values]: NoticeValues<Kind>
): Promise<void> {
  const member = await getMemberById(db, memberId)
  const written = Object.entries<string | number | Date>(values ?? {}).map(([name, value]) => [
    name,
    value instanceof Date ? formatMoment(value, member.language) : value,
  ])
  const all = [{ resetLink: resetRequestLink(config), ...Object.fromEntries(written) }]
  await sendMail(db, keys, member, kind, ...(all as unknown as ValuesFor<MailValue<Kind>>))
}
