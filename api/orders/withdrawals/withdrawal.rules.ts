import type { WithdrawalAct } from '#contract/console-withdrawals.ts'
import { DAY, HOUR } from '#contract/durations.ts'
import { refundDays, type WithdrawalState } from '#contract/withdrawals.ts'
import { dayIn } from '../../day-in.ts'

/** What finance does with it. Also a refusal that was wrong, and the record of a refund, are put right; of what was unpaid a payment may come late. */
const acts: Record<WithdrawalState, readonly WithdrawalAct[]> = {
  requested: ['accept', 'refuse', 'close'],
  accepted: ['refund', 'close'],
  refused: ['accept'],
  refunded: ['refund'],
  unpaid: ['accept'],
}
export const canDo = (act: WithdrawalAct, state: WithdrawalState): boolean => acts[state].includes(act)

export const openStates = ['requested', 'accepted'] as const satisfies readonly WithdrawalState[]
export const isOpen = (state: WithdrawalState): boolean => (openStates as readonly string[]).includes(state)

const startOfUtc = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayAfter = (day: string, days: number): string =>
  new Date(startOfUtc(day) + days * DAY).toISOString().slice(0, 10)

/** The first moment of a day: its midnight, or what comes after it where the clocks skip it. */
function startOfDay(timeZone: string, day: string): Date {
  // No zone is further from UTC than this. Days only go up with time, so that the first moment is found by halving.
  let before = startOfUtc(day) - 16 * HOUR
  let within = startOfUtc(day) + 16 * HOUR
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dayIn(timeZone, new Date(middle)) >= day) within = middle
    else before = middle
  }
  return new Date(within)
}

/** Saturday and Sunday. Of holidays nothing is known. */
const isWeekend = (day: string): boolean => [0, 6].includes(new Date(startOfUtc(day)).getUTCDay())

/**
 * The end of a period in calendar days (Regulation (EEC, Euratom) No 1182/71, article 3): the day of the event does not count, the
 * last day does until its end, and where that is a Saturday or a Sunday, the period goes on until the end of Monday.
 */
export function endOfPeriod(from: Date, days: number, timeZone: string): { lastDay: string; end: Date } {
  let lastDay = dayAfter(dayIn(timeZone, from), days)
  while (isWeekend(lastDay)) lastDay = dayAfter(lastDay, 1)
  return { lastDay, end: startOfDay(timeZone, dayAfter(lastDay, 1)) }
}

/** Not later where its last day is a Sunday: whoever waits for money is not made to wait longer by it. */
export const endOfRefund = (from: Date, timeZone: string): Date =>
  startOfDay(timeZone, dayAfter(dayIn(timeZone, from), refundDays + 1))

type Terms = { days: number; timeZone: string; tradedSince: string | null }
export type Period = { until: Date; lastDay: string | null }
/** With what it is said in: so many days, in that time zone. */
export type Promised = Period & Pick<Terms, 'days' | 'timeZone'>

export const laterOf = (one: Promised | null, other: Promised | null): Promised | null =>
  one && other ? (other.until > one.until ? other : one) : (one ?? other)

/**
 * Until when an order that was placed then can be withdrawn from. Not where trading had begun before it was placed, and not after
 * the end of the subscription period that the sale has set (article 13(4) and (5)).
 */
export function periodOf(
  placedAt: Date,
  { days, timeZone, tradedSince }: Terms,
  closesAt: Date | null,
): Period | null {
  if (days === 0) return null
  if (tradedSince !== null && dayIn(timeZone, placedAt) >= tradedSince) return null
  const { lastDay, end } = endOfPeriod(placedAt, days, timeZone)
  // What was entered after the end belongs to no subscription period that is known.
  const isCut = closesAt !== null && closesAt > placedAt && closesAt < end
  return isCut ? { until: closesAt, lastDay: null } : { until: end, lastDay }
}
