import { DAY } from '#contract/durations.ts'
import { scheduleDaysMax } from '#contract/newsroom.ts'
import { momentsOf } from './zoned-time.ts'

/** The values of the fields. `isLater` selects the second occurrence of a local time that occurs twice. */
export type ChosenTime = { local: string; zone: string; isLater: boolean }

export type ScheduleProblem = 'missing' | 'skipped' | 'past' | 'tooFar'
export type CheckedTime =
  | { at: number; isTwice: boolean; problem?: 'past' | 'tooFar' }
  | { at: null; isTwice: false; problem: 'missing' | 'skipped' }

/** Returns the chosen time, or why a post cannot be published then. */
export function validateSchedule({ local, zone, isLater }: ChosenTime, now: number): CheckedTime {
  const moments = momentsOf(local, zone)
  if (!moments) return { at: null, isTwice: false, problem: 'missing' }
  if (moments.kind === 'none') return { at: null, isTwice: false, problem: 'skipped' }
  const isTwice = moments.kind === 'two'
  const at = moments.kind === 'one' ? moments.at : isLater ? moments.later : moments.earlier
  if (at <= now) return { at, isTwice, problem: 'past' }
  if (at > now + scheduleDaysMax * DAY) return { at, isTwice, problem: 'tooFar' }
  return { at, isTwice }
}
