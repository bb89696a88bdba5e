import { DAY, SECOND } from '#contract/durations.ts'
import { isOutage, transaction, type Tx } from '../db/database.ts'
import { startEvery } from '../jobs/start-every.ts'
import type { Worker } from '../module.ts'
import type { Services } from '../services.ts'
import { cancelUnpaid } from './close-order.ts'
import {
  endProposal,
  endWithdrawalProposal,
  lockLapsedProposal,
  lockLapsedWithdrawal,
} from './lapsed-proposals.ts'
import { giveAddress } from './give-address.ts'
import { notifyOwner } from './notify-owner.ts'
import {
  giveDeadlines,
  lockNextDropped,
  lockNextOverdue,
  lockNextToRemind,
  lockNextWithMethod,
  markReminded,
} from './order-deadline.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { tellOfWaiting } from './tell-of-waiting.ts'

const every = 15 * SECOND

type WorkerServices = Pick<Services, 'db' | 'keys' | 'config' | 'log'>

/** Keeps the deadlines of orders, by the clock of the database, at the start and every few seconds. */
export const startDeadlineWorker = (services: WorkerServices): Worker =>
  startEvery(services, {
    job: 'payDeadlines',
    every,
    work: (isStopped) => keepDeadlines(services, isStopped),
    failed: 'enforcing the payment deadlines failed',
  })

/** How long before the deadline members are reminded. */
export const reminderTime = (payTime: number): number => Math.min(payTime / 4, DAY)

/**
 * Begins the deadlines of orders that can be paid now, ends proposals that count no more, reminds of those that are near, cancels orders that are past theirs, and
 * tells staff of orders that wait for them. Each order is one transaction under its
 * lock, so that of several instances one acts, and a payment that is being reported comes first. One that fails delays
 * no other.
 */
export async function keepDeadlines(
  services: WorkerServices,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const { db, config } = services
  const notice = reminderTime(config.orderPayTime)
  const failed: string[] = []
  const doAll = async (
    lock: (db: Tx) => Promise<OrderRow | undefined>,
    act: (db: Tx, order: OrderRow) => Promise<unknown>,
  ) => {
    while (!isStopped() && (await doNext(services, failed, lock, act)));
  }
  await doAll(
    (db) => lockNextWithMethod(db, failed),
    (db, order) => giveAddress(db, services, order),
  )
  await giveDeadlines(db, config.orderPayTime)
  await doAll(
    (db) => lockLapsedProposal(db, failed),
    (db, order) => endProposal(db, services, order),
  )
  await doAll(
    (db) => lockLapsedWithdrawal(db, failed),
    (db, order) => endWithdrawalProposal(db, services, order),
  )
  await doAll(
    (db) => lockNextOverdue(db, failed),
    (db, order) => cancelUnpaid(db, services, order),
  )
  await doAll(
    (db) => lockNextDropped(db, failed),
    (db, order) => cancelUnpaid(db, services, order),
  )
  await doAll(
    (db) => lockNextToRemind(db, notice, failed),
    async (db, order) => {
      await markReminded(db, order.id)
      await notifyOwner(db, services, order, 'order-reminder')
    },
  )
  await tellOfWaiting(services)
}

async function doNext(
  { db, log }: WorkerServices,
  failed: string[],
  lock: (db: Tx) => Promise<OrderRow | undefined>,
  act: (db: Tx, order: OrderRow) => Promise<unknown>,
): Promise<boolean> {
  let taken: string | undefined
  try {
    return await transaction(db, async (db) => {
      const order = await lock(db)
      if (!order) return false
      taken = order.id
      await act(db, order)
      return true
    })
  } catch (error) {
    if (taken === undefined || isOutage(error)) throw error
    failed.push(taken)
    log.error({ order: taken, name: nameOf(error) }, 'the payment deadline of an order was not enforced')
    return true
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
