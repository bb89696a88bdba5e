import { expect, test } from 'vitest'
import { MIB } from '#contract/fields.ts'
import { makeUploadSlots } from './upload-slots.ts'

const limits = { member: 100 * MIB, client: 200 * MIB, all: 300 * MIB }
const one = { memberId: 'one', client: 'a' }
const refusal = (code: string) => expect.objectContaining({ code, retryAfterSeconds: 5 })

test('bodies of one member, of one client and of everybody have so much room at once', () => {
  const { take } = makeUploadSlots(limits)
  const { giveBack } = take(one, 90 * MIB)
  expect(() => take(one, 15 * MIB)).toThrow(refusal('rate_limited'))
  take({ memberId: 'two', client: 'a' }, 90 * MIB)
  expect(() => take({ memberId: 'three', client: 'a' }, 30 * MIB)).toThrow(refusal('rate_limited'))
  take({ memberId: 'four', client: 'b' }, 90 * MIB)
  expect(() => take({ memberId: 'five', client: 'c' }, 50 * MIB)).toThrow(refusal('unavailable'))
  giveBack()
  take({ memberId: 'five', client: 'c' }, 50 * MIB)
})

test('small bodies count as one photo, so that there are not many of them', () => {
  const { take } = makeUploadSlots(limits)
  for (let n = 0; n < 6; n += 1) take(one, 10)
  expect(() => take(one, 10)).toThrow(refusal('rate_limited'))
})

test('what is refused takes no room, and what was given back leaves nothing behind', () => {
  const { take } = makeUploadSlots(limits)
  for (let n = 0; n < 100; n += 1) expect(() => take(one, 101 * MIB)).toThrow(refusal('rate_limited'))
  for (let n = 0; n < 100; n += 1) take(one, 90 * MIB).giveBack()
})

test('a body that is here keeps as much room as it needs, and that of its member', () => {
  const { take } = makeUploadSlots(limits)
  const received = take(one, 90 * MIB)
  received.keep(MIB)
  expect(() => take(one, 15 * MIB)).toThrow(refusal('rate_limited'))
  const other = { memberId: 'two', client: 'a' }
  const another = take(other, 99 * MIB)
  another.keep(99 * MIB)
  expect(() => take({ memberId: 'three', client: 'a' }, 101 * MIB)).toThrow(refusal('rate_limited'))
  received.giveBack()
  another.giveBack()
  take(one, 100 * MIB)
  take(other, 100 * MIB)
})
