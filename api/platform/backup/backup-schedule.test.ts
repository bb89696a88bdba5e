import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/platform/durations.ts'
import { isBackupMissing, nextBackupAt, type Run } from './backup-schedule.ts'

const daily = { every: DAY, at: 3 * HOUR }
const at = (time: string) => new Date(`2026-05-04T${time}Z`)
const run = (began: Date, failure: string | null = null): Run => ({
  beganAt: began,
  doneAt: new Date(began.getTime() + MINUTE),
  failure,
})

test('each period needs one successful run that began in it', () => {
  const yesterday = run(new Date('2026-05-03T03:00:10Z'))
  expect(nextBackupAt([], at('02:00'), daily)).toEqual(new Date('2026-05-03T03:00Z'))
  expect(nextBackupAt([yesterday], at('02:59'), daily)).toEqual(at('03:00'))
  expect(nextBackupAt([yesterday], at('03:00'), daily)).toEqual(at('03:00'))
  expect(nextBackupAt([run(at('03:00:05')), yesterday], at('03:10'), daily)).toEqual(
    new Date('2026-05-05T03:00Z'),
  )
  // It began before the period and may lack what happened in between.
  expect(nextBackupAt([run(at('02:59:30'))], at('03:10'), daily)).toEqual(at('03:00'))
})

test('a period of six hours begins at the hour of the setting, and then every six hours', () => {
  const sixHours = { every: 6 * HOUR, at: 3 * HOUR }
  expect(nextBackupAt([run(at('09:00'))], at('09:30'), sixHours)).toEqual(at('15:00'))
  expect(nextBackupAt([run(at('21:00'))], at('23:30'), sixHours)).toEqual(new Date('2026-05-05T03:00Z'))
})

test('failed runs are repeated after growing pauses, counted since the last success', () => {
  const good = run(new Date('2026-05-03T03:00Z'))
  const failed = (...times: string[]) => times.map((time) => run(at(time), 'ENOSPC')).toReversed()
  expect(nextBackupAt([...failed('03:00'), good], at('03:02'), daily)).toEqual(at('03:06'))
  expect(nextBackupAt([...failed('03:00', '03:06'), good], at('03:08'), daily)).toEqual(at('03:22'))
  const many = failed('03:00', '03:06', '03:22', '03:53', '04:54', '05:55')
  expect(nextBackupAt([...many, good], at('06:00'), daily)).toEqual(at('06:56'))
  expect(nextBackupAt(many, at('06:00'), daily)).toEqual(at('06:56'))
})

test('a backup is missing two hours after its period, and without a schedule after 26 hours', () => {
  const last = (doneAt: Date | undefined) => ({ doneAt, firstBeganAt: new Date('2026-05-03T00:00Z') })
  const sixHours = { every: 6 * HOUR, at: 0 }
  expect(isBackupMissing(last(at('00:00')), at('08:00'), sixHours)).toBe(false)
  expect(isBackupMissing(last(at('00:00')), at('08:01'), sixHours)).toBe(true)
  expect(isBackupMissing(last(new Date('2026-05-03T00:00Z')), at('02:00'), undefined)).toBe(false)
  expect(isBackupMissing(last(new Date('2026-05-03T00:00Z')), at('02:01'), undefined)).toBe(true)
  // Nothing has succeeded yet.
  expect(isBackupMissing(last(undefined), at('00:00'), daily)).toBe(true)
  expect(isBackupMissing({ doneAt: undefined, firstBeganAt: at('00:00') }, at('01:59'), daily)).toBe(false)
  expect(isBackupMissing({ doneAt: undefined, firstBeganAt: undefined }, at('00:00'), daily)).toBe(false)
  expect(isBackupMissing(last(undefined), at('00:00'), undefined)).toBe(false)
})
