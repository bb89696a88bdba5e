import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import {
  allAtOnce,
  dueAfter,
  splitByPlan,
  type VestedPart,
  type VestingPlan,
} from '#contract/money/vesting.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { DB } from '#api/platform/db/rows.ts'
import { insertPromise } from '#api/money/orders/withdrawals/withdrawal.queries.ts'
import { periodOf, type Promised } from '#api/money/orders/withdrawals/withdrawal.rules.ts'
import type { SampleOrderRow } from './order-rows.ts'
import type { SampleOrderStep, SampleOrderStory } from './order-story.ts'
import { sampleHash, type SamplePerson } from './world.ts'

type SampleOrder = { person: SamplePerson; story: SampleOrderStory; at: number; row: SampleOrderRow }

export type SampleDelivery = {
  id: string
  reference: string
  orderId: string
  person: SamplePerson
  amount: string
  address: string
  dueAt: number
  /** When the last thing happened that a payout run had to wait for. */
  readyAt: number
  /** What becomes of it; undefined if it waits for the next payout run. */
  story: SampleOrderStory['delivery']
}

/** Inserts the deliveries of completed orders: canceled, not due, on hold, or due. Payout runs take some of them. */
export async function insertSampleDeliveries(
  db: Tx,
  orders: readonly SampleOrder[],
): Promise<SampleDelivery[]> {
  const delivered = orders.filter(({ story }) => story.status === 'completed' && story.delivery !== 'none')
  const promised = delivered.flatMap((order) =>
    order.story.delivery === 'withdrawable' ? [{ order, period: promiseOf(order) }] : [],
  )
  for (const { order, period } of promised) await insertPromise(db, order.row.id, period)
  const made = delivered.flatMap((order) => {
    const until = promised.find((each) => each.order === order)?.period.until
    const { fab_qty: quantity, vesting } = order.row
    const plan = typeof vesting === 'string' ? (JSON.parse(vesting) as VestingPlan) : allAtOnce
    return splitByPlan(parseDecimal(String(quantity)), plan).map((part) =>
      makeDelivery(order, orders.indexOf(order), { ...part, until }),
    )
  })
  await db
    .insertInto('delivery')
    .values(made.map(({ row }) => row))
    .execute()
  return made.map(({ delivery }) => delivery)
}

function promiseOf({ at }: SampleOrder): Promised {
  const terms = { days: 14, timeZone: 'UTC' }
  return { ...periodOf(new Date(at), { ...terms, tradedSince: null }, null)!, ...terms }
}

/** Returns when the last step of this kind was taken. */
function timeOf({ at, story }: SampleOrder, kind: SampleOrderStep['kind']): number | undefined {
  const step = story.steps.findLast((each) => each.kind === kind)
  return step && at + step.after
}

type Part = VestedPart & { until: Date | undefined }

function makeDelivery(order: SampleOrder, index: number, { tranche, offset, until, ...part }: Part) {
  const { at, story, person, row: ordered } = order
  const id = randomUUID()
  const reference = sampleHash(`sample delivery ${index} ${tranche}`).slice(0, 10).toUpperCase()
  const completedAt = timeOf(order, 'completed') ?? at
  const createdAt = timeOf(order, 'deliveries_created') ?? completedAt
  const releasedAt = timeOf(order, 'delivery_released')
  const hold = story.steps.findLast(({ kind }) => kind === 'delivery_held')
  const refundedAt = timeOf(order, 'refunded')
  // A refund cancels what is in no payout run.
  const isCanceled = story.delivery === 'refunded' || (story.delivery === 'frozen' && offset !== null)
  const changedAt = at + (story.steps.at(-1)?.after ?? 0)
  const dueAt = until ?? dueAfter(new Date(completedAt), offset)
  const amount = writeDecimal(part.amount)
  const row: Insertable<DB['delivery']> = {
    id,
    order_id: ordered.id,
    reference,
    tranche,
    amount,
    due_at: dueAt,
    created_at: new Date(createdAt),
    updated_at: new Date(changedAt),
    ...(releasedAt !== undefined && { released_at: new Date(releasedAt) }),
    ...(hold &&
      releasedAt === undefined && { held_at: new Date(at + hold.after), hold_reason: hold.reason ?? '' }),
    ...(isCanceled &&
      refundedAt !== undefined && { cancelled_at: new Date(refundedAt), cancel_cause: 'refunded' }),
  }
  const delivery: SampleDelivery = {
    id,
    reference,
    orderId: ordered.id,
    person,
    amount,
    address: ordered.fab_address ?? '',
    dueAt: dueAt.getTime(),
    readyAt: Math.max(changedAt, dueAt.getTime()),
    story: story.delivery,
  }
  return { order, row, delivery }
}
