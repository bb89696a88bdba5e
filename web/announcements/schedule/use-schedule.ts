import { useState } from 'react'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { scheduleDaysMax } from '#contract/publishing/newsroom.ts'
import { localTimeOf, momentsOf, ownZone } from './zoned-time.ts'

/** The values of the fields. `isLater` selects the second occurrence of a local time that occurs twice. */
type ChosenTime = { local: string; zone: string; isLater: boolean }

type CheckedTime =
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

/** In the API's format. */
export type Schedule = { publishAt: string; zone: string }

/** The initial value: the post's schedule, otherwise the full hour after the next one. */
function begin(planned: Schedule | null): ChosenTime {
  const zone = planned?.zone ?? ownZone()
  const at = planned ? Date.parse(planned.publishAt) : (Math.floor(Date.now() / HOUR) + 2) * HOUR
  const local = localTimeOf(at, zone)
  const moments = momentsOf(local, zone)
  return { local, zone, isLater: moments?.kind === 'two' && moments.later === at }
}

/** The fields of a schedule, validated as they are filled in and again when they are read. */
export function useSchedule(planned: Schedule | null) {
  const [chosen, setChosen] = useState(() => begin(planned))
  const [now, setNow] = useState(() => Date.now())
  const checked = validateSchedule(chosen, now)
  return {
    chosen,
    checked,
    change: (changes: Partial<ChosenTime>) => setChosen((before) => ({ ...before, ...changes })),
    /** Returns the value to send, or null if the fields now show an error. */
    read: (): Schedule | null => {
      const moment = Date.now()
      setNow(moment)
      const { at, problem } = validateSchedule(chosen, moment)
      return problem || at === null ? null : { publishAt: new Date(at).toISOString(), zone: chosen.zone }
    },
  }
}

export type ScheduleState = ReturnType<typeof useSchedule>
