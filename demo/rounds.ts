import { randomUUID } from 'node:crypto'
import { multiplyDown, parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { BonusTier } from '#contract/money/round-bonus.ts'
import { allAtOnce, type VestingPlan } from '#contract/money/vesting.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { SaleTerms } from '#contract/money/sale.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { readTerms } from '#api/money/sale/read-sale.ts'
import { replaceSale } from '#api/money/sale/sale.queries.ts'
import type { SampleWorld } from './world.ts'

/** The round in which a sample order was placed. Orders of the first round name none. */
export type SampleRound = {
  id: string
  opensAt: number
  closesAt: number
  bonus: readonly BonusTier[]
  vesting: VestingPlan
}

export const roundAt = (rounds: readonly SampleRound[], at: number): SampleRound | undefined =>
  rounds.find(({ opensAt, closesAt }) => opensAt <= at && at < closesAt)

/** Time from the beginning of the rounds until now. The last one opens later. */
const publicFrom = 41 * DAY
const currentFrom = 20.5 * DAY
const guestsAgo = 60 * DAY
const nextIn = 30 * DAY
const nextUntil = 120 * DAY

/** The periods are short, so that some parts were delivered, some are due, and some are locked. */
const inParts: VestingPlan = {
  first: '20',
  later: {
    kind: 'tranches',
    parts: [
      { after: 10, unit: 'days', percent: '20' },
      { after: 18, unit: 'days', percent: '20' },
      { after: 3, unit: 'months', percent: '40' },
    ],
  },
}
const monthly = (first: string, wait: number, parts: number): VestingPlan => ({
  first,
  later: { kind: 'linear', wait, parts, unit: 'months' },
})

/** A round that leaves everything to the sale. */
const plainRound: Omit<SaleRound, 'id' | 'name' | 'opensAt' | 'closesAt'> = {
  cap: null,
  memberCap: null,
  admission: 'approved',
  excludedCountries: [],
  bonus: [],
  vesting: allAtOnce,
  prices: [],
}

/** Inserts a round for invited people and a public one, which have ended, the current round, and the next one. */
export async function insertSampleRounds(db: Tx, world: SampleWorld): Promise<SampleRound[]> {
  const { now } = world
  const terms = await readTerms(db)
  const at = (time: number): string => new Date(Math.floor(time / DAY) * DAY).toISOString()
  const first: SaleRound = {
    ...plainRound,
    id: terms.rounds[0]!.id,
    name: { en: 'Private', cn: '私募轮' },
    opensAt: null,
    closesAt: at(now - publicFrom),
    admission: 'listed',
  }
  const ended: SaleRound = {
    ...plainRound,
    id: randomUUID(),
    name: { en: 'Public 1', cn: '公开第一轮' },
    opensAt: first.closesAt,
    closesAt: at(now - currentFrom),
    vesting: inParts,
  }
  const current: SaleRound = {
    ...plainRound,
    id: randomUUID(),
    name: { en: 'Public 2', cn: '公开第二轮' },
    opensAt: ended.closesAt,
    closesAt: at(now + nextIn),
    cap: '5000000',
    memberCap: '600000',
    bonus: [
      { from: '10000', percent: '2' },
      { from: '50000', percent: '5' },
    ],
    vesting: monthly('50', 0, 4),
  }
  const next: SaleRound = {
    ...plainRound,
    id: randomUUID(),
    name: { en: 'Public 3', cn: '公开第三轮' },
    opensAt: current.closesAt,
    closesAt: at(now + nextUntil),
    excludedCountries: ['KP'],
    bonus: [{ from: '50000', percent: '2' }],
    vesting: monthly('25', 1, 6),
    prices: pricesBelow(terms),
  }
  await replaceSale(db, { ...terms, rounds: [first, ended, current, next] }, null)
  await insertSampleGuests(db, world, first.id)
  return [ended, current].map(({ id, opensAt, closesAt, bonus, vesting }) => ({
    id,
    bonus,
    vesting,
    opensAt: Date.parse(opensAt!),
    closesAt: Date.parse(closesAt!),
  }))
}

/** Fewer tokens per coin than today. */
const pricesBelow = ({ payMethods }: SaleTerms): SaleRound['prices'] =>
  payMethods.map(({ code, rate, minAmount, maxAmount }) => ({
    code,
    rate: writeDecimal(multiplyDown(parseDecimal(rate), parseDecimal('0.9'), 0)),
    minAmount,
    maxAmount,
  }))

/** People with an account, and some who have none yet. */
async function insertSampleGuests(
  db: Tx,
  { now, people, operators }: SampleWorld,
  roundId: string,
): Promise<void> {
  const members = people.filter(({ part }) => part === 'buyer').slice(0, 5)
  const emails = [...members.map(({ email }) => email), 'guest.1@people.example', 'guest.2@people.example']
  await db
    .insertInto('sale_round_guest')
    .values(
      emails.map((email, index) => ({
        round_id: roundId,
        email,
        added_by: operators.coins2,
        added_at: new Date(now - guestsAgo + index),
      })),
    )
    .execute()
}
