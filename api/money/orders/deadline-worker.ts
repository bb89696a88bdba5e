import { DAY, SECOND } from '#contract/platform/durations.ts'
import { reportWaitMax } from '#contract/money/console-orders.ts'
import { isOutage, transaction, type Tx } from '../../platform/db/database.ts'
import { startEvery } from '../../platform/jobs/start-every.ts'
import type { Worker } from '../../platform/module.ts'
import type { Services } from '../../platform/services.ts'
import { cancelOverdue } from './close-order.ts'
import { assignReceivingAddress } from './receiving-address.ts'
import { notifyOwner } from './notify-owner.ts'
import {
  assignDeadlines,
  lockNextDropped,
  lockNextOverdue,
  lockNextToRemind,
  lockNextWithMethod,
  markReminded,
  lockNextExpiredProposal,
  lockLongWaiting,
  lockNotPayable,
  markNotified,
} from './order-deadline.queries.ts'
import { clearProposal, type OrderRow } from './order.queries.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { listFinanceOfficers } from '../../people/members/approver.queries.ts'
import { consoleLink, flaggedOrdersLink, saleLink } from '../../platform/site-links.ts'
import { completionLife, recordEndedProposal } from './four-eyes.ts'
import { reinstateDeadline } from './extend-deadline.ts'
import { clearWithdrawalProposal, lockNextExpiredWithdrawal } from './withdrawals/withdrawal.queries.ts'
import { consume } from '../../platform/rate-limits/rate-limit.ts'
import { listSaleWatchers } from '../../people/members/sale-watcher.queries.ts'

const every = 15 * SECOND

type WorkerServices = Pick<Services, 'db' | 'keys' | 'config' | 'log' | 'maintenance'>

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
    (db) => lockNextOverdue(db, config, failed),
    (db, order) => cancelOverdue(db, services, order),
  )
  await doAll(
    (db) => lockNextDropped(db, config, failed),
    (db, order) => cancelOverdue(db, services, order),
  )
  await doAll(
    (db) => lockNextToRemind(db, { ...config, notice }, failed),
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

type Needed = Pick<Services, 'keys' | 'config'>

/**
 * Locks the next order whose completion proposal expired or whose proposer lost the required role. While an officer
 * replaces a second factor, the proposal is not valid but does not end.
 */
const lockExpiredProposal = async (db: Tx, without: readonly string[]): Promise<OrderRow | undefined> =>
  lockNextExpiredProposal(db, await counting(db), without)

/** Does the same for a proposed decision on a withdrawal, and locks its order. */
const lockExpiredWithdrawalProposal = async (
  db: Tx,
  without: readonly string[],
): Promise<OrderRow | undefined> => lockNextExpiredWithdrawal(db, await counting(db), without)

const counting = async (db: Tx) => ({
  officers: (await listFinanceOfficers(db, { isStaffSecondFactorRequired: false })).map(({ id }) => id),
  age: completionLife,
})

/**
 * Ends a proposal and starts a new payment period for the member, who isn't told about proposals.
 */
async function endProposal(db: Tx, { keys, config }: Needed, order: OrderRow): Promise<void> {
  await reinstateDeadline(db, config, order, await clearProposal(db, order.id))
  await recordEndedProposal(db, { keys, config }, order, order.completion_proposed_by)
}

/** Ends a proposed decision, so that the withdrawal awaits a decision again. */
async function endWithdrawalProposal(db: Tx, services: Needed, order: OrderRow): Promise<void> {
  const { proposed_by: by } = await clearWithdrawalProposal(db, order.id)
  await recordEndedProposal(db, services, order, by)
}

/**
 * Notifies staff of waiting orders: each order once, all current ones in a single email, and at most one email a day.
 * The rest stay in the list for the next email. The order is marked and the email queued in one transaction.
 */
async function notifyAboutWaiting(services: Pick<Services, 'db' | 'keys' | 'config'>): Promise<void> {
  await tell(services, 'long_wait_told_at', (db) => lockLongWaiting(db, reportWaitMax), mailOfLongWaiting)
  await tell(services, 'not_payable_told_at', lockNotPayable, mailOfNotPayable)
}

const tell = (
  services: Pick<Services, 'db' | 'keys' | 'config'>,
  column: Parameters<typeof markNotified>[2],
  lock: (db: Tx) => Promise<string[]>,
  mail: (db: Tx, services: Needed, count: string) => Promise<void>,
): Promise<void> =>
  transaction(services.db, async (db) => {
    const ids = await lock(db)
    if (ids.length === 0) return
    const limit = { key: `tell of waiting orders ${column}`, max: 1, window: DAY }
    if ((await consume(db, services.keys, [limit])) !== undefined) return
    await markNotified(db, ids, column)
    await mail(db, services, String(ids.length))
  })

async function mailOfLongWaiting(db: Tx, { keys, config }: Needed, count: string): Promise<void> {
  const values = { count, link: flaggedOrdersLink(config, 'waits_long') }
  for (const officer of await listFinanceOfficers(db, config))
    await sendMail(db, keys, officer, 'staff-orders-waiting', values)
}

/**
 * Emails those who can act on orders that can't be paid: price editors can set addresses, finance can correct the
 * order, and an administrator without either role can grant one.
 */
async function mailOfNotPayable(db: Tx, { keys, config }: Needed, count: string): Promise<void> {
  const officers = await listFinanceOfficers(db, config)
  const isOfficer = new Set(officers.map(({ id }) => id))
  const others = (await listSaleWatchers(db)).filter(({ id }) => !isOfficer.has(id))
  const tell = (reader: Parameters<typeof sendMail>[2], link: string) =>
    sendMail(db, keys, reader, 'staff-orders-not-payable', { count, link })
  for (const officer of officers) await tell(officer, flaggedOrdersLink(config, 'not_payable'))
  for (const other of others)
    await tell(other, other.manage_coins >= 1 ? saleLink(config) : consoleLink(config))
}
