import type { Tx } from '../db/database.ts'
import type { MemberContext } from '../http/handler.ts'
import { sendMail } from '../mail/send-mail.ts'
import { getMemberById } from '../members/member.queries.ts'
import { listSaleWatchers } from '../sale/sale.queries.ts'
import { officialConsoleLink } from '../site-links.ts'

/** Mails the administrators and whoever may change the sale what is said to be ours, before it was and now. */
export async function tellOfOfficial(
  db: Tx,
  { keys, config, caller }: Pick<MemberContext, 'keys' | 'config' | 'caller'>,
  values: readonly string[],
): Promise<void> {
  // By address: a display name is anybody's choice, and somebody may call themselves as a colleague.
  const { email } = await getMemberById(db, caller.memberId)
  const told = { name: email, values: [...new Set(values)].join(' → '), link: officialConsoleLink(config) }
  for (const watcher of await listSaleWatchers(db))
    await sendMail(db, keys, watcher, 'official-changed', told)
}
