import type { Tx } from '../../platform/db/database.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { listActiveAdmins } from '../../people/members/member.queries.ts'
import type { Services } from '../../platform/services.ts'
import { webhookLink } from '../../platform/site-links.ts'

type Kind =
  | 'staff-webhook-added'
  | 'staff-webhook-extended'
  | 'staff-webhook-moved'
  | 'staff-webhook-disabled'
  | 'staff-webhook-gone'
  | 'staff-webhook-finance-lost'

/** Returns only the host, because paths of such addresses are often secrets. */
export const hostOf = (url: string): string => new URL(url).host

export async function notifyAdmins(
  db: Tx,
  { keys, config }: Pick<Services, 'keys' | 'config'>,
  kind: Kind,
  { id, url }: { id: string; url: string },
): Promise<void> {
  for (const admin of await listActiveAdmins(db))
    await sendMail(db, keys, admin, kind, { host: hostOf(url), link: webhookLink(config, id) })
}
