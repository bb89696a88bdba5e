import { expect, test } from 'vitest'
import { readSchedule } from './read-schedule.ts'

const now = new Date('2026-11-20T08:00:00.000Z')
const read = (publishAt: string | undefined, zone: string | undefined) => () =>
  readSchedule(publishAt, zone, now)

test.each([
  ['2026-11-20T08:00:00.001Z', 'UTC', '2026-11-20T08:00:00.001Z'],
  ['2026-12-01T09:00+08:00', 'Asia/Shanghai', '2026-12-01T01:00:00.000Z'],
  ['2027-03-28T01:30:00-05:00', 'America/New_York', '2027-03-28T06:30:00.000Z'],
  ['2027-11-21T08:00:00Z', 'Europe/Oslo', '2027-11-21T08:00:00.000Z'],
])('%s in %s is a moment', (publishAt, zone, moment) => {
  expect(read(publishAt, zone)()).toEqual({ publishAt: new Date(moment), zone })
})

test.each([
  [undefined, 'UTC', 'publishAt', 'required'],
  ['2026-12-01T09:00Z', undefined, 'zone', 'required'],
  ['2026-12-01T09:00Z', '', 'zone', 'required'],
  ['2026-11-20T08:00:00.000Z', 'UTC', 'publishAt', 'past'],
  ['2026-11-20T16:00:00+08:00', 'Asia/Shanghai', 'publishAt', 'past'],
  ['2027-11-21T08:00:00.001Z', 'UTC', 'publishAt', 'too_far'],
  ['2026-13-01T09:00Z', 'UTC', 'publishAt', 'invalid'],
  ['2027-02-30T09:00Z', 'UTC', 'publishAt', 'invalid'],
  ['2026-12-01T25:00Z', 'UTC', 'publishAt', 'invalid'],
  ['2026-12-01T09:00Z', 'Mars/Olympus', 'zone', 'one_of'],
  ['2026-12-01T09:00Z', '+08:00', 'zone', 'one_of'],
])('%s in %s is refused', (publishAt, zone, path, code) => {
  expect(read(publishAt, zone)).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ path, code })] }),
  )
})
