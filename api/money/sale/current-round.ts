import { parseDecimal, shortDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { Sale } from '#contract/money/sale.ts'
import { currencyOf } from '#contract/money/orders.ts'
import type { VestingPlan } from '#contract/money/vesting.ts'
import type { Tx } from '../../platform/db/database.ts'
import { countryCodeOf } from '../../people/country-code.ts'
import { findApprovedCountry } from '../../people/kyc/kyc.queries.ts'
import { isGuest, sumSoldInRoundTo, type RoundRow } from './rounds.queries.ts'
import type { PayMethodRow, SaleRow } from './sale.queries.ts'

/** The round as it is saved and shown in the console. */
export const presentRound = (row: RoundRow): SaleRound => ({
  id: row.id,
  name: nameOf(row),
  opensAt: row.opens_at?.toISOString() ?? null,
  closesAt: row.closes_at?.toISOString() ?? null,
  cap: row.cap === null ? null : shortDecimal(row.cap),
  memberCap: row.member_cap === null ? null : shortDecimal(row.member_cap),
  admission: row.admission,
  excludedCountries: row.excluded_countries,
  bonus: bonusOf(row),
  vesting: vestingOf(row),
  prices: row.prices,
})

export const nameOf = (row: Pick<RoundRow, 'name_en' | 'name_cn'>): SaleRound['name'] => ({
  en: row.name_en,
  cn: row.name_cn,
})
export const bonusOf = (row: Pick<RoundRow, 'bonus'>): BonusTier[] => row.bonus as BonusTier[]
export const vestingOf = (row: Pick<RoundRow, 'vesting'>): VestingPlan => row.vesting as VestingPlan

/**
 * Whether the round says anything that the sale doesn't say itself. The first round of a sale that never had another
 * one does not, so people see no rounds.
 */
export const isShown = (row: RoundRow): boolean =>
  !row.is_former ||
  row.opens_at !== null ||
  row.closes_at !== null ||
  row.cap !== null ||
  row.member_cap !== null ||
  row.admission !== 'approved' ||
  row.excluded_countries.length > 0 ||
  bonusOf(row).length > 0 ||
  vestingOf(row).later !== null ||
  row.prices.length > 0

/** The name that people see; null if they see no rounds. */
export const shownNameOf = (row: RoundRow | undefined): SaleRound['name'] | null =>
  row && isShown(row) ? nameOf(row) : null

/** The method at the price and with the limits of the round. */
export function effectiveMethod(method: PayMethodRow, round: RoundRow | undefined): PayMethodRow {
  const price = round?.prices.find(({ code }) => code === method.code)
  if (!price) return method
  return { ...method, rate: price.rate, min_amount: price.minAmount, max_amount: price.maxAmount }
}

/** Why a member can't order in the round; null if they can. */
export async function findBarrier(db: Tx, round: RoundRow, memberId: string): Promise<Sale['why']> {
  if (round.admission === 'listed' && !(await isGuest(db, round.id, memberId))) return 'listed'
  if (round.excluded_countries.length === 0) return null
  const code = countryCodeOf((await findApprovedCountry(db, memberId)) ?? '')
  // A country that is not recognized may be one of the excluded ones.
  return code === undefined || round.excluded_countries.includes(code) ? 'country' : null
}

const leastOf = (values: readonly bigint[]): bigint => {
  const least = values.reduce((a, b) => (a < b ? a : b))
  // Finance can exceed the caps.
  return least > 0n ? least : 0n
}

/**
 * What is left of the caps of the round, in units of 10^-18. `counted` is the part of an order that counts already. Empty
 * without caps.
 */
export async function listRoundRooms(
  db: Tx,
  round: RoundRow,
  memberId: string,
  counted: bigint,
): Promise<bigint[]> {
  const rooms: bigint[] = []
  if (round.cap !== null) rooms.push(parseDecimal(round.cap) - parseDecimal(round.sold) + counted)
  if (round.member_cap !== null) {
    const sold = parseDecimal(await sumSoldInRoundTo(db, round, memberId))
    rooms.push(parseDecimal(round.member_cap) - sold + counted)
  }
  return rooms
}

/** The tokens that are left in the round; null without a cap. */
export const leftInRound = ({ cap, sold }: Pick<RoundRow, 'cap' | 'sold'>): string | null =>
  cap === null ? null : shortDecimal(writeDecimal(leastOf([parseDecimal(cap) - parseDecimal(sold)])))

/** What a member sees of the current round. */
export async function presentRoundTo(
  db: Tx,
  round: RoundRow,
  memberId: string,
): Promise<NonNullable<Sale['round']>> {
  const rooms = await listRoundRooms(db, round, memberId, 0n)
  return {
    name: nameOf(round),
    closesAt: round.closes_at?.toISOString() ?? null,
    left: leftInRound(round),
    memberLeft: round.member_cap === null ? null : shortDecimal(writeDecimal(leastOf(rooms))),
    bonus: bonusOf(round),
    vesting: vestingOf(round),
  }
}

/** What everybody sees of the next round: its own prices, or those of the sale. It doesn't open before the sale. */
export function presentNextRound(
  round: RoundRow,
  { opens_at: saleOpensAt }: Pick<SaleRow, 'opens_at'>,
  methods: readonly PayMethodRow[],
): NonNullable<Sale['next']> {
  return {
    name: nameOf(round),
    opensAt: new Date(Math.max(Number(round.opens_at), Number(saleOpensAt))).toISOString(),
    payMethods: methods
      .filter(({ is_open: isOpen }) => isOpen)
      .map((method) => ({
        code: method.code,
        currency: method.currency ?? currencyOf(method.code),
        rate: shortDecimal(effectiveMethod(method, round).rate),
      })),
  }
}
