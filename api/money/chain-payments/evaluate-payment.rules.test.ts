import { describe, expect, test } from 'vitest'
import { evaluatePayment, type Judged, type Transfer } from './evaluate-payment.rules.ts'

const at = (minute: number) => new Date(Date.UTC(2036, 4, 1, 12, minute))
const of: Judged = {
  due: '0.5',
  placedAt: at(5),
  deadline: at(30),
  cancelledAt: null,
  confirmationsNeeded: 3,
  tip: 100,
}
const transfer = (given: Partial<Transfer> = {}): Transfer => ({
  txId: 'a',
  amount: '0.500000000000000000',
  height: null,
  blockAt: null,
  firstSeenAt: at(10),
  goneAt: null,
  reorganisedAt: null,
  changedAt: at(10),
  ...given,
})
const inBlock = (height: number, given: Partial<Transfer> = {}) =>
  transfer({ height, blockAt: at(12), ...given })
const stateOf = (transfers: Transfer[], given: Partial<Judged> = {}) =>
  evaluatePayment({ ...of, ...given }, transfers).state

describe('evaluates what the chain shows of a payment', () => {
  test.each<[string, string, Transfer[], Partial<Judged>?]>([
    ['nothing came', 'awaited', []],
    ['it is in the pool', 'seen', [transfer()]],
    ['half of it is in a block', 'seen', [inBlock(98, { amount: '0.25' }), transfer({ amount: '0.25' })]],
    ['its block is the last one', 'confirming', [inBlock(100)]],
    ['one block is missing', 'confirming', [inBlock(99)]],
    ['it is final', 'paid', [inBlock(98)]],
    ['it came in two parts', 'paid', [inBlock(90, { amount: '0.2' }), inBlock(98, { amount: '0.3' })]],
    ['a part is younger', 'confirming', [inBlock(90, { amount: '0.2' }), inBlock(99, { amount: '0.3' })]],
    ['too little, at once', 'too_little', [transfer({ amount: '0.499999999999999999' })]],
    ['too much, final', 'too_much', [inBlock(90, { amount: '0.500000000000000001' })]],
    ['it was paid twice', 'too_much', [inBlock(90), inBlock(91, { txId: 'b' })]],
    ['it came after the deadline', 'late', [inBlock(90, { firstSeenAt: at(31), blockAt: at(31) })]],
    ['it came in time and was seen late', 'paid', [inBlock(90, { firstSeenAt: at(50), blockAt: at(30) })]],
    ['it was seen in time and took long', 'paid', [inBlock(90, { blockAt: at(55) })]],
    ['the order had been cancelled', 'late', [inBlock(90)], { cancelledAt: at(9) }],
    ['the order was cancelled afterwards', 'paid', [inBlock(90)], { cancelledAt: at(20) }],
    [
      'there is no deadline',
      'paid',
      [inBlock(90, { firstSeenAt: at(59), blockAt: at(59) })],
      { deadline: null },
    ],
    ['it was dropped from the pool', 'awaited', [transfer({ goneAt: at(20) })]],
    [
      'it was replaced by another',
      'seen',
      [transfer({ goneAt: at(20) }), transfer({ txId: 'b', firstSeenAt: at(20) })],
    ],
    [
      'it was replaced after the deadline',
      'late',
      [transfer({ goneAt: at(40) }), transfer({ txId: 'b', firstSeenAt: at(40) })],
    ],
    ['its block is gone, it waits again', 'reorganised', [transfer({ reorganisedAt: at(20) })]],
    ['its block is gone and so is it', 'reorganised', [transfer({ reorganisedAt: at(20), goneAt: at(21) })]],
    [
      'its block is gone and another pays in its place',
      'paid',
      [transfer({ reorganisedAt: at(20), goneAt: at(21) }), inBlock(95, { txId: 'b' })],
    ],
    ['nothing came while the amount due is unknown', 'awaited', [], { due: null }],
    ['the amount due is unknown, it is in the pool', 'seen', [transfer()], { due: null }],
    ['the amount due is unknown, it is final', 'confirming', [inBlock(90)], { due: null }],
    [
      'the amount due is unknown, the order was cancelled',
      'late',
      [inBlock(90)],
      { due: null, cancelledAt: at(9) },
    ],
    [
      'the amount due is unknown, its block is gone and so is it',
      'reorganised',
      [transfer({ reorganisedAt: at(20), goneAt: at(21) })],
      { due: null },
    ],
    [
      'the amount due is unknown, its block is gone and another pays in its place',
      'confirming',
      [transfer({ reorganisedAt: at(20), goneAt: at(21) }), inBlock(95, { txId: 'b' })],
      { due: null },
    ],
    ['it was seen before the order was placed', 'awaited', [inBlock(90, { firstSeenAt: at(4) })]],
    ['its block is older than the order', 'awaited', [inBlock(90, { blockAt: at(-116) })]],
    ['its block may be as old as the order', 'paid', [inBlock(90, { blockAt: at(-115) })]],
    ['an older one came first', 'paid', [inBlock(80, { firstSeenAt: at(4) }), inBlock(90, { txId: 'b' })]],
    [
      'an older one left its block',
      'awaited',
      [transfer({ firstSeenAt: at(4), reorganisedAt: at(20), goneAt: at(21) })],
    ],
    ['nothing was looked at', 'confirming', [inBlock(98)], { tip: null }],
    ['it stands above the end that is known', 'confirming', [inBlock(101)]],
  ])('%s: %s', (_, state, transfers, given) => {
    expect(stateOf(transfers, given)).toBe(state)
  })
})

test('limits the transactions shown, and ignores those that are gone', () => {
  const many = Array.from({ length: 30 }, (_, index) => inBlock(90, { txId: `t${index}`, amount: '0.01' }))
  const verdict = evaluatePayment(of, [...many, transfer({ goneAt: at(20) })])
  expect(verdict.transactions).toHaveLength(20)
  expect(verdict.received).toBe('0.3')
  expect(verdict.transactions.at(-1)).toMatchObject({ state: 'gone', confirmations: 0 })
  expect(verdict.confirmations).toBe(3)
})
