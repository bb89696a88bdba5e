import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Tx } from '#api/platform/db/database.ts'
import type { DB } from '#api/platform/db/rows.ts'
import { insertPromise } from '#api/money/orders/withdrawals/withdrawal.queries.ts'
import { periodOf, type Promised } from '#api/money/orders/withdrawals/withdrawal.rules.ts'
import type { SampleOrderRow } from './order-rows.ts'
import type { SampleOrderStep, SampleOrderStory } from './order-story.ts'
import { sampleHash, type SamplePerson, type SampleWorld } from './world.ts'

type SampleOrder = { person: SamplePerson; story: SampleOrderStory; at: number; row: SampleOrderRow }

export type SampleDelivery = {
  id: string
  reference: string
  orderId: string
  person: SamplePerson
  amount: string
  address: string
  /** When the last thing happened that a payout run had to wait for. */
  readyAt: number
  /** What becomes of it; undefined if it waits for the next payout run. */
  story: SampleOrderStory['delivery']
}

/** Inserts the deliveries of completed orders: canceled, not due, on hold, or due. Payout runs take some of them. */
export async function insertSampleDeliveries(
  db: Tx,
  world: SampleWorld,
  orders: readonly SampleOrder[],
): Promise<SampleDelivery[]> {
  const delivered = orders.filter(({ story }) => story.status === 'completed' && story.delivery !== 'none')
  const promised = delivered.flatMap((order) =>
    order.story.delivery === 'withdrawable' ? [{ order, period: promiseOf(order) }] : [],
  )
  for (const { order, period } of promised) await insertPromise(db, order.row.id, period)
  const made = delivered.map((order) => {
    const until = promised.find((each) => each.order === order)?.period.until
    return makeDelivery(order, orders.indexOf(order), until)
  })
  await db
    .insertInto('delivery')
    .values(made.map(({ row }) => row))
    .execute()
  for (const { order } of made.filter(({ order }) => order.story.hasNoTokenAddress)) {
    const { at, person: to, row } = order
    world.mails.push({
      at: timeOf(order, 'completed') ?? at,
      to,
      kind: 'order-delivery-address-needed',
      orderId: row.id,
    })
  }
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

function makeDelivery(order: SampleOrder, index: number, until: Date | undefined) {
  const { at, story, person, row: ordered } = order
  const id = randomUUID()
  const reference = sampleHash(`sample delivery ${index}`).slice(0, 10).toUpperCase()
  const completedAt = timeOf(order, 'completed') ?? at
  const createdAt = timeOf(order, 'deliveries_created') ?? completedAt
  const releasedAt = timeOf(order, 'delivery_released')
  const hold = story.steps.findLast(({ kind }) => kind === 'delivery_held')
  const refundedAt = timeOf(order, 'refunded')
  const readyAt = at + (story.steps.at(-1)?.after ?? 0)
  const amount = String(ordered.fab_qty)
  const row: Insertable<DB['delivery']> = {
    id,
    order_id: ordered.id,
    reference,
    tranche: 1,
    amount,
    due_at: until ?? new Date(completedAt),
    created_at: new Date(createdAt),
    updated_at: new Date(readyAt),
    ...(releasedAt !== undefined && { released_at: new Date(releasedAt) }),
    ...(hold &&
      releasedAt === undefined && { held_at: new Date(at + hold.after), hold_reason: hold.reason ?? '' }),
    ...(story.delivery === 'refunded' &&
      refundedAt !== undefined && { cancelled_at: new Date(refundedAt), cancel_cause: 'refunded' }),
  }
  const delivery: SampleDelivery = {
    id,
    reference,
    orderId: ordered.id,
    person,
    amount,
    address: ordered.fab_address ?? '',
    readyAt,
    story: story.delivery,
  }
  return { order, row, delivery }
}
