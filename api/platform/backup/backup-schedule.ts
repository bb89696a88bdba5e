import { HOUR, MINUTE } from '#contract/platform/durations.ts'
import type { BackupSchedule } from '../config/read-storage.ts'

/** A run of a backup. `failure` is null if it succeeded. */
export type Run = { beganAt: Date; doneAt: Date; failure: string | null }

/** Pauses before a failed run is repeated. The last one applies from then on. */
const pauses = [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR] as const

/** When the period that contains `now` began. Periods are counted from 1 January 1970. */
const periodStart = (now: Date, { every, at }: BackupSchedule): number =>
  Math.floor((now.getTime() - at) / every) * every + at

/**
 * When the next run may begin. Each period needs one successful run that began in it. `runs` are the latest ones, newest
 * first.
 */
export function nextBackupAt(runs: readonly Run[], now: Date, schedule: BackupSchedule): Date {
  const start = periodStart(now, schedule)
  const whole = runs.find(({ failure }) => failure === null)
  if (whole && whole.beganAt.getTime() >= start) return new Date(start + schedule.every)
  const failed = whole ? runs.indexOf(whole) : runs.length
  if (failed === 0) return new Date(start)
  const pause = pauses[Math.min(failed, pauses.length) - 1]!
  return new Date(Math.max(start, runs[0]!.doneAt.getTime() + pause))
}

const dailyPeriod = 24 * HOUR
/** A backup counts as missing this long after it was due. It covers its own duration and repeated attempts. */
const margin = 2 * HOUR

/** Age at which the last backup is too old. Without a schedule, backups are expected every day. */
export const backupAgeMax = (schedule: BackupSchedule | undefined): number =>
  (schedule?.every ?? dailyPeriod) + margin

/**
 * Whether a backup is missing: the last one is too old or, if the product makes backups by itself, the first attempts
 * have failed for as long as the margin. `first` is the oldest known run.
 */
export function isBackupMissing(
  { doneAt, firstBeganAt }: { doneAt: Date | undefined; firstBeganAt: Date | undefined },
  now: Date,
  schedule: BackupSchedule | undefined,
): boolean {
  if (doneAt) return now.getTime() - doneAt.getTime() > backupAgeMax(schedule)
  return (
    schedule !== undefined && firstBeganAt !== undefined && now.getTime() - firstBeganAt.getTime() > margin
  )
}
