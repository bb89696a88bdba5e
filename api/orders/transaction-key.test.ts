import { expect, test } from 'vitest'
import { txIdLengthMax } from '#contract/orders.ts'
import { transactionKey } from './payment.rules.ts'

const id = 'ab12'.repeat(16)

test.each([
  id,
  id.toUpperCase(),
  `0x${id}`,
  `0X${id.toUpperCase()}`,
  `0x0x${id}`,
  ` ${id.slice(0, 32)} ${id.slice(32)}\u00A0`,
  `\u200B${id}\uFEFF`,
  id.replaceAll('a', 'ａ').replaceAll('1', '１'),
  `tx: ${id}.`,
  `a – ${id}`,
  `https://explorer.example/tx/0x${id}?chain=1`,
  id.replaceAll('a', '\u0430'),
  id.replaceAll('a', 'á'),
])('%j is the same transaction', (written) => {
  expect(transactionKey(written)).toBe(id)
})

test('without a hash, the letters and digits of a text count', () => {
  expect(transactionKey('Transfer no. 12-34')).toBe(transactionKey('TRANSFER NO 1234'))
  expect(transactionKey('转账 1234')).toBe('转账1234')
})

test.each([
  '',
  ' ',
  '0x',
  '–.',
  '\u200B',
  '０ｘ',
  'n/a',
  'N.A.',
  'None',
  '-',
  'unknown',
  'x',
  'XXX',
  '000',
  '无',
  '未知',
])('%j names no transaction', (written) => {
  expect(transactionKey(written)).toBe('')
})

test.each(['NA-2041', 'Invoice none', 'X1', '无锡银行 7', 'unknown sender 12'])(
  '%j names a transaction',
  (written) => {
    expect(transactionKey(written)).not.toBe('')
  },
)

test('a key fits its column, whatever a character expands to', () => {
  expect([...transactionKey('\uFDFA'.repeat(txIdLengthMax))]).toHaveLength(txIdLengthMax)
})

test('different transactions have different keys', () => {
  expect(transactionKey('Transfer 1')).not.toBe(transactionKey('Transfer 11'))
  expect(transactionKey(id)).not.toBe(transactionKey(id.replace('a', 'b')))
})
