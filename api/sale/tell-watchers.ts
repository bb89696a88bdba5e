import type { AddressChange } from '#contract/flat-sale.ts'
import type { Tx } from '../db/database.ts'
import { sendMail } from '../mail/send-mail.ts'
import { getMemberById } from '../members/member.queries.ts'
import { saleOrRecordLink } from '../site-links.ts'
import { listSaleWatchers } from './sale.queries.ts'
import type { SaleContext } from './save-sale.ts'

const nothing = '–'

/** Mails the administrators and whoever may change the sale that payments go elsewhere, or are to. */
export async function tellWatchers(
  db: Tx,
  { keys, config }: Pick<SaleContext, 'keys' | 'config'>,
  kind: 'sale-address-proposed' | 'sale-address-changed',
  moved: readonly AddressChange[],
  by: string,
  confirmedBy: string | null = null,
): Promise<void> {
  // By address: a display name is anybody's choice, and somebody may call themselves as a colleague.
  const nameOf = async (id: string) => (await getMemberById(db, id)).email
  const names = [await nameOf(by), ...(confirmedBy === null ? [] : [await nameOf(confirmedBy)])]
  const values = {
    name: names.join(' + '),
    addresses: moved.map(({ code, from, to }) => `${code}: ${from || nothing} → ${to}`).join('; '),
  }
  for (const watcher of await listSaleWatchers(db))
    await sendMail(db, keys, watcher, kind, { ...values, link: saleOrRecordLink(config, watcher) })
}
