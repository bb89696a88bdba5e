import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { saleOfFlat } from '#contract/money/flat-sale.ts'
import type { PayMethodSettings } from '#contract/money/sale.ts'
import type { FlatSettings } from '#contract/people/settings.ts'
import type { Tx } from '../../platform/db/database.ts'
import { spellingOf } from '../../people/settings/our-address.queries.ts'
import { listVersionsOfSale } from '../../people/settings/setting-version.queries.ts'
import { insertWithdrawnAddress } from './withdrawn-address.queries.ts'

/** A receiving address set back this soon, in milliseconds, counts as a mistake, or as someone else's. */
const setBackWithin = DAY
/** Allows for orders and changes that waited for each other, in milliseconds. */
const slack = MINUTE

type Methods = readonly PayMethodSettings[]
/** A change of the payment methods. */
type Change = { at: Date; before: Methods; after: Methods }

/**
 * Records the receiving addresses of the last day that the last change of the sale (already stored) set back, in one
 * step or in several: each may have been a mistake, or someone else's address.
 */
export async function recordWithdrawnAddresses(db: Tx): Promise<void> {
  const methodsOf = (settings: unknown) => saleOfFlat(settings as FlatSettings).payMethods
  const changes = (await listVersionsOfSale(db, setBackWithin)).map(({ at, before, after }): Change => ({
    at,
    before: methodsOf(before),
    after: methodsOf(after),
  }))
  const last = changes.at(-1)
  for (const [index, { at, before, after }] of changes.entries())
    for (const method of after.filter((each) => isNew(each, before)))
      if (isSetBack(method, changes.slice(0, index + 1), changes.slice(index)))
        await insertWithdrawnAddress(db, {
          address: method.receivingAddress,
          from: new Date(at.getTime() - slack),
          until: new Date(last!.at.getTime() + slack),
        })
}

const isNew = ({ code, receivingAddress }: PayMethodSettings, before: Methods): boolean =>
  receivingAddress !== '' &&
  !before.some((each) => each.code === code && each.receivingAddress === receivingAddress)

/**
 * Whether the address of the method is gone, and one that was used before is back after it was gone. This counts for
 * the same code, and for all payment methods together, because a method may get another code. `until` are the changes
 * up to the one that set the address, and `since` are that one and the later ones.
 */
const isSetBack = (
  { code, receivingAddress }: PayMethodSettings,
  until: readonly Change[],
  since: readonly Change[],
): boolean =>
  [(each: PayMethodSettings) => each.code === code, () => true].some((isCounted) => {
    const spellingsOf = (methods: Methods) =>
      methods.filter(isCounted).map((each) => spellingOf(each.receivingAddress))
    const now = spellingsOf(since.at(-1)!.after)
    const isBack = (spelling: string) =>
      until.some(({ before }) => spellingsOf(before).includes(spelling)) &&
      since.some(({ after }) => !spellingsOf(after).includes(spelling))
    return !now.includes(spellingOf(receivingAddress)) && now.some(isBack)
  })
