import { expect, test, vi } from 'vitest'
import { SECOND } from '#contract/platform/durations.ts'
import { MIB } from '#contract/platform/fields.ts'
import { makeUploadSlots } from './upload-slots.ts'

const of = (bytes: number, large: number, bodies: number) => ({
  bytes: bytes * MIB,
  bodies,
  large: { bytes: large * MIB, bodies: 4 },
})
const limitsFor = (bodies: number) => ({
  member: of(100, 90, bodies),
  client: of(200, 150, bodies),
  all: of(300, 240, bodies),
})
const refusal = (code: string) => expect.objectContaining({ code, retryAfterSeconds: 5 })
const at = (memberId: string, client = 'a') => ({ memberId, client })

function makeSlots(bodies = 8) {
  let time = 0
  const { take } = makeUploadSlots(limitsFor(bodies), () => time)
  return {
    pass: (milliseconds: number) => void (time += milliseconds),
    open(who: { memberId: string; client: string }, megabytes = 15) {
      const end = vi.fn<(refused: Error) => void>()
      return { ...take(who, megabytes * MIB, end), end }
    },
  }
}

test('bodies of a member, a client, and everyone use room for their received bytes', () => {
  const { open } = makeSlots()
  const first = open(at('one'), 90)
  first.receive(60 * MIB)
  const second = open(at('one'), 90)
  expect(() => second.receive(40 * MIB)).toThrow(refusal('rate_limited'))
  second.giveBack()
  const other = open(at('two'), 90)
  other.receive(80 * MIB)
  // A complete body that waits for its response gives way to no one.
  for (const { complete } of [first, other]) complete()
  const third = open(at('three'), 90)
  expect(() => third.receive(80 * MIB)).toThrow(refusal('rate_limited'))
  third.giveBack()
  open(at('four', 'b'), 90).receive(80 * MIB)
  const fifth = open(at('five', 'c'), 90)
  expect(() => fifth.receive(80 * MIB)).toThrow(refusal('unavailable'))
  fifth.giveBack()
  first.giveBack()
  open(at('five', 'c'), 90).receive(80 * MIB)
})

test('part of the room is reserved for bodies of one photo', () => {
  const { open } = makeSlots()
  for (const [name, client] of ['a', 'a', 'b'].entries()) {
    const body = open(at(`${name}`, client), 90)
    body.receive(70 * MIB)
    body.complete()
  }
  const large = open(at('four', 'b'), 90)
  expect(() => large.receive(40 * MIB)).toThrow(refusal('unavailable'))
  expect(() => open(at('five', 'b'), 90)).toThrow(refusal('unavailable'))
  large.giveBack()
  for (const member of ['five', 'six']) open(at(member, 'b'), 15).receive(15 * MIB)
})

test('bodies are counted, however few bytes they have', () => {
  const { open } = makeSlots()
  const bodies = Array.from({ length: 8 }, () => open(at('one')))
  expect(() => open(at('one'))).toThrow(refusal('rate_limited'))
  bodies[0]!.complete()
  expect(() => open(at('one'))).toThrow(refusal('rate_limited'))
  // Bodies that wait for their response keep no one else out.
  open(at('two'))
  for (const { end } of bodies) expect(end).not.toHaveBeenCalled()
})

test('without room, the most idle body gives way, and no active one', () => {
  const { open, pass } = makeSlots()
  const still = open(at('one'))
  pass(SECOND)
  const slow = open(at('one'))
  const moving = Array.from({ length: 6 }, () => open(at('one')))
  pass(20 * SECOND)
  for (const { receive } of moving) receive(MIB)
  const next = open(at('one'))
  expect(still.end.mock.calls).toEqual([[refusal('rate_limited')]])
  expect(slow.end).not.toHaveBeenCalled()
  still.giveBack()
  open(at('one'))
  expect(slow.end).toHaveBeenCalledOnce()
  expect(() => open(at('one'))).toThrow(refusal('rate_limited'))
  for (const { end } of [...moving, next]) expect(end).not.toHaveBeenCalled()
})

test('no client and no member of a client has more than an equal share while another asks', () => {
  const { open } = makeSlots(50)
  const fill = (who: { memberId: string; client: string }, megabytes: number) => {
    const body = open(who, 15)
    body.receive(megabytes * MIB)
    return body
  }
  // Client a fills two thirds of the room, and client b the rest.
  const ofOne = Array.from({ length: 7 }, () => fill(at('one'), 14))
  const ofTwo = Array.from({ length: 6 }, () => fill(at('two'), 14))
  const ofThree = Array.from({ length: 7 }, () => fill(at('three', 'b'), 14))
  const ended = (bodies: typeof ofOne) => bodies.filter(({ end }) => end.mock.calls.length > 0).length
  expect([ended(ofOne), ended(ofTwo), ended(ofThree)]).toEqual([0, 0, 0])
  // A third client gets its share from the largest holder, and no more than that.
  const ofFour = Array.from({ length: 6 }, () => fill(at('four', 'c'), 14))
  expect(ended(ofOne)).toBeGreaterThan(0)
  expect(ended(ofOne) + ended(ofTwo)).toBeGreaterThanOrEqual(4)
  expect([ended(ofThree), ended(ofFour)]).toEqual([0, 0])
  expect(() => {
    for (let n = 0; n < 4; n += 1) fill(at('five', 'c'), 14)
  }).toThrow(refusal('unavailable'))
})

test('however many members share a client’s room, one more gets an equal share', () => {
  const { open } = makeSlots()
  const ofOne = Array.from({ length: 7 }, () => open(at('one')))
  const ofTwo = [open(at('two'))]
  for (let n = 0; n < 3; n += 1) ofTwo.push(open(at('two')))
  const ended = (bodies: typeof ofOne) => bodies.filter(({ end }) => end.mock.calls.length > 0)
  expect(ended(ofOne)).toHaveLength(3)
  for (const { end } of ended(ofOne)) expect(end).toHaveBeenCalledWith(refusal('rate_limited'))
  expect(() => open(at('two'))).toThrow(refusal('rate_limited'))
  expect(() => open(at('one'))).toThrow(refusal('rate_limited'))
})

test('a complete body that waits for its response never gives way', () => {
  const { open, pass } = makeSlots()
  const bodies = Array.from({ length: 8 }, () => open(at('one')))
  for (const { complete } of bodies) complete()
  pass(60 * SECOND)
  expect(() => open(at('one'))).toThrow(refusal('rate_limited'))
  for (const { end } of bodies) expect(end).not.toHaveBeenCalled()
})

test('a body that gave way stays rejected, even with more or all of its bytes, and uses no room', () => {
  const { open, pass } = makeSlots()
  const gaveWay = open(at('one'), 90)
  pass(30 * SECOND)
  const others = [at('two', 'b'), at('three', 'b'), at('four', 'c')].map((who) => {
    const body = open(who, 90)
    body.receive(70 * MIB)
    return body
  })
  // Large bodies of all clients share 240 MiB.
  open(at('five', 'd'), 90).receive(30 * MIB)
  expect(gaveWay.end.mock.calls).toEqual([[refusal('unavailable')]])
  pass(30 * SECOND)
  // It also exceeds its member's limit, which would be another code.
  expect(() => gaveWay.receive(95 * MIB)).toThrow(refusal('unavailable'))
  expect(() => gaveWay.complete()).toThrow(refusal('unavailable'))
  for (const { end } of others) expect(end).not.toHaveBeenCalled()
})

test('a rejected body uses no room, and a released one leaves nothing behind', () => {
  const { open } = makeSlots()
  for (let n = 0; n < 100; n += 1) {
    const refused = open(at('one'), 90)
    expect(() => refused.receive(101 * MIB)).toThrow(refusal('rate_limited'))
    refused.giveBack()
  }
  for (let n = 0; n < 100; n += 1) {
    const body = open(at('one'), 90)
    body.receive(90 * MIB)
    body.giveBack()
  }
})
