import { expect, test } from 'vitest'
import { canBecome } from './stored-line.rules.ts'

const at = new Date('2026-11-20T00:00:00.000Z')
const read = { reference: 'Gift', txId: '', amount: '100', currency: 'EUR', address: '', date: at }
const stored = {
  state: 'open' as const,
  problem: 'unknown_order',
  reference: 'Gift',
  tx_id: '',
  amount: '100',
  currency: 'EUR',
  address: '',
  received_at: at,
}

test('an open line that is read with the same values can be recorded or turn out to be returned', () => {
  expect([canBecome(stored, read, 'applied'), canBecome(stored, read, 'open')]).toEqual([true, true])
})

test.each(['applied', 'assigned', 'dismissed'] as const)('a line that is %s stays so', (state) => {
  expect(canBecome({ ...stored, state }, read, 'applied')).toBe(false)
  expect(canBecome({ ...stored, state }, read, 'open')).toBe(false)
})

test.each([
  { reference: 'Present' },
  { txId: '7' },
  { amount: '1000' },
  { currency: 'USD' },
  { address: 'DE02' },
  { date: undefined },
])('a line that another mapping reads as %j stays as it is', (other) => {
  expect(canBecome(stored, { ...read, ...other }, 'applied')).toBe(false)
  expect(canBecome(stored, { ...read, ...other }, 'open')).toBe(false)
})

test.each(['returned', 'reversal', 'outgoing', 'several_payments', 'cells', 'quotes'])(
  'a line with the problem %s is never recorded',
  (problem) => {
    expect(canBecome({ ...stored, problem }, read, 'applied')).toBe(false)
    expect(canBecome({ ...stored, problem }, read, 'open')).toBe(true)
  },
)
