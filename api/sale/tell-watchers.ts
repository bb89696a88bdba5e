import { addressChanges, rateChanges, type RateChange } from '#contract/flat-sale.ts'
import type { SaleTerms } from '#contract/sale.ts'
import type { Tx } from '../db/database.ts'
import { sendMail } from '../mail/send-mail.ts'
import { getMemberById } from '../members/member.queries.ts'
import { saleOrRecordLink } from '../site-links.ts'
import { listSaleWatchers } from './sale.queries.ts'
import type { SaleContext } from './save-sale.ts'

type Change = { before: SaleTerms; after: SaleTerms; by: string; confirmedBy: string | null }

const nothing = '–'

/** Mails the administrators and whoever may change the sale that payments go elsewhere or that rates are others, or are to be. */
export async function tellOfChanges(
  db: Tx,
  { keys, config }: Pick<SaleContext, 'keys' | 'config'>,
  done: 'proposed' | 'changed',
  { before, after, by, confirmedBy }: Change,
): Promise<void> {
  const [moved, rates] = [addressChanges(before, after), rateChanges(before, after)]
  if (moved.length + rates.length === 0) return
  // By address: a display name is anybody's choice, and somebody may call themselves as a colleague.
  const nameOf = async (id: string) => (await getMemberById(db, id)).email
  const name = [await nameOf(by), ...(confirmedBy === null ? [] : [await nameOf(confirmedBy)])].join(' + ')
  const addresses = moved.map(({ code, from, to }) => `${code}: ${from || nothing} → ${to}`).join('; ')
  for (const watcher of await listSaleWatchers(db)) {
    const link = saleOrRecordLink(config, watcher)
    if (rates.length > 0)
      await sendMail(db, keys, watcher, `sale-rate-${done}`, {
        name,
        rates: rates.map(sayRate).join('; '),
        link,
      })
    if (moved.length > 0) await sendMail(db, keys, watcher, `sale-address-${done}`, { name, addresses, link })
  }
}

const sayRate = ({ code, from, to, percent }: RateChange): string =>
  `${code}: ${from} → ${to}${percent === null ? '' : ` (${percent.startsWith('-') ? '' : '+'}${percent}%)`}`
