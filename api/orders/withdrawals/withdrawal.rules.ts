import type { WithdrawalAction } from '#contract/console-withdrawals.ts'
import { DAY, HOUR } from '#contract/durations.ts'
import { refundDays, type WithdrawalState } from '#contract/withdrawals.ts'
import { dayIn } from '../../format-time.ts'

/**
 * Actions that finance can take in each state. A wrong decision and a recorded refund can be corrected, and an unpaid
 * withdrawal may receive a late payment.
 */
const acts: Record<WithdrawalState, readonly WithdrawalAction[]> = {
  requested: ['accept', 'refuse', 'close'],
  accepted: ['refund', 'close'],
  refused: ['accept'],
  refunded: ['refund'],
  unpaid: ['accept'],
}
export const canDo = (act: WithdrawalAction, state: WithdrawalState): boolean => acts[state].includes(act)

export const openStates = ['requested', 'accepted'] as const satisfies readonly WithdrawalState[]
export const isOpen = (state: WithdrawalState): boolean => (openStates as readonly string[]).includes(state)

const startOfUtc = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayAfter = (day: string, days: number): string =>
  new Date(startOfUtc(day) + days * DAY).toISOString().slice(0, 10)

/** Returns the first moment of a day: midnight, or the next moment if the clocks skip midnight. */
function startOfDay(timeZone: string, day: string): Date {
  // No time zone is further from UTC than this. Local dates only increase with time, so a binary search finds the first
  // moment.
  let before = startOfUtc(day) - 16 * HOUR
  let within = startOfUtc(day) + 16 * HOUR
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dayIn(timeZone, new Date(middle)) >= day) within = middle
    else before = middle
  }
  return new Date(within)
}

/** Whether the day is a Saturday or Sunday. Public holidays are not considered. */
const isWeekend = (day: string): boolean => [0, 6].includes(new Date(startOfUtc(day)).getUTCDay())

/**
 * Returns the end of a period in calendar days (Regulation (EEC, Euratom) No 1182/71, article 3): the day of the event
 * doesn't count, the last day counts in full, and if that is a Saturday or Sunday, the period ends with the following
 * Monday.
 */
export function endOfPeriod(from: Date, days: number, timeZone: string): { lastDay: string; end: Date } {
  let lastDay = dayAfter(dayIn(timeZone, from), days)
  while (isWeekend(lastDay)) lastDay = dayAfter(lastDay, 1)
  return { lastDay, end: startOfDay(timeZone, dayAfter(lastDay, 1)) }
}

/** Returns when a refund is due. A Sunday does not move it, so that no one waits longer for their money. */
export const endOfRefund = (from: Date, timeZone: string): Date =>
  startOfDay(timeZone, dayAfter(dayIn(timeZone, from), refundDays + 1))

type Terms = { days: number; timeZone: string; tradedSince: string | null }
export type Period = { until: Date; lastDay: string | null }
/** A period with the number of days and the time zone used to describe it. */
export type Promised = Period & Pick<Terms, 'days' | 'timeZone'>

/**
 * Returns the end of the withdrawal period. A request for a canceled order has no period, so its own time counts as the
 * end.
 */
export const endOf = (period: Period | null, now: Date): Date => period?.until ?? now

export const laterOf = (one: Promised | null, other: Promised | null): Promised | null =>
  one && other ? (other.until > one.until ? other : one) : (one ?? other)

/**
 * Returns until when an order placed at `placedAt` can be withdrawn from. There is no right if trading started before
 * it was placed, and it ends with the subscription period of the sale (article 13(4) and (5)).
 */
export function periodOf(
  placedAt: Date,
  { days, timeZone, tradedSince }: Terms,
  closesAt: Date | null,
): Period | null {
  if (days === 0) return null
  if (tradedSince !== null && dayIn(timeZone, placedAt) >= tradedSince) return null
  const { lastDay, end } = endOfPeriod(placedAt, days, timeZone)
  // An order entered after the end belongs to no known subscription period.
  const isCut = closesAt !== null && closesAt > placedAt && closesAt < end
  return isCut ? { until: closesAt, lastDay: null } : { until: end, lastDay }
}

/** Returns when the withdrawal or its order last changed: a decision applies to what its officer saw of both. */
export const versionOf = ({ updated_at: changed }: { updated_at: Date }, orderChanged: Date): Date =>
  orderChanged > changed ? orderChanged : changed
