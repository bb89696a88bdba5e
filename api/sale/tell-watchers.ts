import { addressChanges, rateChanges, type RateChange } from '#contract/flat-sale.ts'
import type { SaleTerms } from '#contract/sale.ts'
import type { Tx } from '../db/database.ts'
import { describeChanges, joinNames } from '../describe-changes.ts'
import { sendMail } from '../mail/send-mail.ts'
import { getMemberById } from '../members/member.queries.ts'
import { saleOrRecordLink } from '../site-links.ts'
import { listSaleWatchers } from './sale.queries.ts'
import type { SaleContext } from './save-sale.ts'

type Change = { before: SaleTerms; after: SaleTerms; by: string; confirmedBy: string | null }

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
  const names = [await nameOf(by), ...(confirmedBy === null ? [] : [await nameOf(confirmedBy)])]
  const addresses = moved.map(({ code, from, to }) => ({ name: code, from, to }))
  for (const watcher of await listSaleWatchers(db)) {
    const told = { name: joinNames(names, watcher.language), link: saleOrRecordLink(config, watcher) }
    if (rates.length > 0)
      await sendMail(db, keys, watcher, `sale-rate-${done}`, {
        ...told,
        rates: describeChanges(rates.map(changeOfRate), watcher.language),
      })
    if (moved.length > 0)
      await sendMail(db, keys, watcher, `sale-address-${done}`, {
        ...told,
        addresses: describeChanges(addresses, watcher.language),
      })
  }
}

const changeOfRate = ({ code, from, to, percent }: RateChange) => ({
  name: code,
  from,
  to,
  note: percent === null ? undefined : `${percent.startsWith('-') ? '' : '+'}${percent}%`,
})
