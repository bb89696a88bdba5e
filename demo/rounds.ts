import { randomUUID } from 'node:crypto'
import { multiplyDown, parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { DAY } from '#contract/platform/durations.ts'
import { allAtOnce, type VestingPlan } from '#contract/money/vesting.ts'
import type { SaleRound } from '#contract/money/sale-rounds.ts'
import type { SaleTerms } from '#contract/money/sale.ts'
import type { Tx } from '#api/platform/db/database.ts'
import { readTerms } from '#api/money/sale/read-sale.ts'
import { replaceSale } from '#api/money/sale/sale.queries.ts'
import type { SampleWorld } from './world.ts'

/** The round in which a sample order was placed. Orders of the first round name none. */
export type SampleRound = { id: string; opensAt: number; closesAt: number; vesting: VestingPlan }

export const roundAt = (rounds: readonly SampleRound[], at: number): SampleRound | undefined =>
  rounds.find(({ opensAt, closesAt }) => opensAt <= at && at < closesAt)

/** When the rounds began, before now; the last one is still to come. */
const publicFrom = 41 * DAY
const currentFrom = 20.5 * DAY
const guestsAgo = 60 * DAY
const nextIn = 30 * DAY
const nextUntil = 120 * DAY

/** Short periods, so that some parts were delivered, and others are due or still to come. */
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
const inMonths: VestingPlan = { first: '25', later: { kind: 'linear', wait: 1, parts: 6, unit: 'months' } }

/** Inserts a round in each state: the first one for guests, one in which tokens vest, the current and the next one. */
export async function insertSampleRounds(db: Tx, world: SampleWorld): Promise<SampleRound[]> {
  const { now } = world
  const terms = await readTerms(db)
  const at = (time: number): string => new Date(Math.floor(time / DAY) * DAY).toISOString()
  const open: Omit<SaleRound, 'id' | 'name' | 'opensAt' | 'closesAt'> = {
    cap: null,
    memberCap: null,
    admission: 'approved',
    excludedCountries: [],
    bonus: [],
    vesting: allAtOnce,
    prices: [],
  }
  const first: SaleRound = {
    ...open,
    id: terms.rounds[0]!.id,
    name: { en: 'Private', cn: '私募轮' },
    opensAt: null,
    closesAt: at(now - publicFrom),
    admission: 'listed',
  }
  const ended: SaleRound = {
    ...open,
    id: randomUUID(),
    name: { en: 'Public 1', cn: '公开第一轮' },
    opensAt: first.closesAt,
    closesAt: at(now - currentFrom),
    vesting: inParts,
  }
  const current: SaleRound = {
    ...open,
    id: randomUUID(),
    name: { en: 'Public 2', cn: '公开第二轮' },
    opensAt: ended.closesAt,
    closesAt: at(now + nextIn),
    cap: '5000000',
    memberCap: '600000',
  }
  const next: SaleRound = {
    ...open,
    id: randomUUID(),
    name: { en: 'Public 3', cn: '公开第三轮' },
    opensAt: current.closesAt,
    closesAt: at(now + nextUntil),
    excludedCountries: ['KP'],
    bonus: [
      { from: '10000', percent: '2' },
      { from: '50000', percent: '5' },
    ],
    vesting: inMonths,
    prices: pricesBelow(terms),
  }
  await replaceSale(db, { ...terms, rounds: [first, ended, current, next] }, null)
  await insertSampleGuests(db, world, first.id)
  return [ended, current].map(({ id, opensAt, closesAt, vesting }) => ({
    id,
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
