import { addressChanges, nameRate, rateChanges, type RateChange } from '#contract/money/flat-sale.ts'
import type { RateReference, SaleTerms } from '#contract/money/sale.ts'
import type { Tx } from '../../platform/db/database.ts'
import { describeChanges, joinNames } from '../../platform/text/describe-changes.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { getMemberById } from '../../people/members/member.queries.ts'
import { saleOrRecordLink } from '../../platform/site-links.ts'
import { listSaleWatchers } from '../../people/members/sale-watcher.queries.ts'
import type { SaleContext } from './save-sale.ts'

type Change = {
  before: SaleTerms
  after: SaleTerms
  /** Rates before the change, because its own version can't serve as a reference. */
  references: readonly RateReference[]
  by: string
  confirmedBy: string | null
}

/** Emails administrators and sale managers that receiving addresses or rates changed or were proposed, or that other terms wait for approval. */
export async function notifyAboutChanges(
  db: Tx,
  { keys, config }: Pick<SaleContext, 'keys' | 'config'>,
  done: 'proposed' | 'changed',
  { before, after, references, by, confirmedBy }: Change,
): Promise<void> {
  const moved = addressChanges(before, after)
  const rates = rateChanges(before, after, references)
  const isWatched = moved.length + rates.length > 0
  if (!isWatched && done === 'changed') return
  // Identifies people by email address: a display name is freely chosen and could imitate a colleague.
  const nameOf = async (id: string) => (await getMemberById(db, id)).email
  const names = [await nameOf(by), ...(confirmedBy === null ? [] : [await nameOf(confirmedBy)])]
  const addresses = moved.map(({ code, from, to }) => ({ name: code, from, to }))
  for (const watcher of await listSaleWatchers(db)) {
    const told = { name: joinNames(names, watcher.language), link: saleOrRecordLink(config, watcher) }
    if (!isWatched) await sendMail(db, keys, watcher, 'sale-terms-proposed', told)
    if (rates.length > 0)
      await sendMail(db, keys, watcher, `sale-rate-${done}`, {
        ...told,
        rates: describeChanges(
          rates.map((rate) => ({
            ...changeOfRate(rate),
            name: nameRate(rate.code, after, watcher.language),
          })),
          watcher.language,
        ),
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
