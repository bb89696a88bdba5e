import { DAY, SECOND } from '#contract/durations.ts'
import { isOutage, transaction, type Tx } from '../db/database.ts'
import { startEvery } from '../jobs/start-every.ts'
import type { Worker } from '../module.ts'
import type { Services } from '../services.ts'
import { cancelUnpaid } from './close-order.ts'
import {
  endProposal,
  endWithdrawalProposal,
  lockExpiredProposal,
  lockExpiredWithdrawalProposal,
} from './expire-proposals.ts'
import { assignReceivingAddress } from './assign-receiving-address.ts'
import { notifyOwner } from './notify-owner.ts'
import {
  assignDeadlines,
  lockNextDropped,
  lockNextOverdue,
  lockNextToRemind,
  lockNextWithMethod,
  markReminded,
} from './order-deadline.queries.ts'
import type { OrderRow } from './order.queries.ts'
import { notifyAboutWaiting } from './notify-about-waiting.ts'

const every = 15 * SECOND

type WorkerServices = Pick<Services, 'db' | 'keys' | 'config' | 'log'>

/** Starts the worker that enforces order deadlines, at startup and every few seconds, by the database clock. */
export const startDeadlineWorker = (services: WorkerServices): Worker =>
  startEvery(services, {
    job: 'payDeadlines',
    every,
    work: (isStopped) => enforceDeadlines(services, isStopped),
    failed: 'enforcing the payment deadlines failed',
  })

/** How long before the deadline members get a reminder, in milliseconds. */
const reminderTime = (payTime: number): number => Math.min(payTime / 4, DAY)

/**
 * Starts the deadlines of orders that have become payable, expires proposals that are no longer valid, sends reminders,
 * cancels overdue orders, and notifies staff of waiting orders. Each order is handled in its own transaction under its
 * lock, so that only one instance acts on it and a concurrent payment report goes first. An order that fails does not
 * delay the others.
 */
export async function enforceDeadlines(
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
    (db, order) => assignReceivingAddress(db, services, order),
  )
  await assignDeadlines(db, config.orderPayTime)
  await doAll(
    (db) => lockExpiredProposal(db, failed),
    (db, order) => endProposal(db, services, order),
  )
  await doAll(
    (db) => lockExpiredWithdrawalProposal(db, failed),
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
      await notifyOwner(db, services, 'order-reminder', { order })
    },
  )
  await notifyAboutWaiting(services)
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
    log.error({ order: taken, name: nameOf(error) }, 'an order payment deadline was not enforced')
    return true
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
