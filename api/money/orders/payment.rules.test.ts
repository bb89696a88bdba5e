import { expect, test } from 'vitest'
import { txIdLengthMax } from '#contract/money/orders.ts'
import { readTxId, transactionKey } from './payment.rules.ts'
import { paymentUri } from './read-orders.ts'

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const bnb = { coin: 'BNB', kind: 'ethereum', network: '56' } as const

test.each([
  ['ETH', [], '1'],
  ['ETH', [bnb], '1'],
  ['ETH', [{ ...bnb, coin: 'ETH', network: '11155111' }], '11155111'],
  ['bnb', [bnb], '56'],
  // On any chain: on the main network, a wallet would pay ether.
  ['BNB', [], null],
  ['BNB', [{ coin: 'BNB', kind: 'bitcoin', network: 'main' } as const], null],
])('a wallet is told the network that %s is on, as %o says: %s', (code, chains, network) => {
  const order = { pay_chain: 'ethereum', pay_method: code, amount: '10', reference: 'R' } as const
  const uri = network === null ? null : `ethereum:${address}@${network}?value=10000000000000000000`
  expect(paymentUri(order, address, chains)).toBe(uri)
})

const other = { pay_chain: 'other', pay_method: 'USDT' } as const
const id = 'ab12c0'.repeat(10).padEnd(64, '7')

test.each([
  ['with Cyrillic letters', id.replaceAll('a', '\u0430')],
  ['with accents', id.replaceAll('a', 'á')],
  ['with U+0251 for a', id.replaceAll('a', '\u0251')],
  ['with U+1D04 for c', id.replaceAll('c', '\u1d04')],
  ['with U+042C for b', id.replaceAll('b', '\u042c')],
  ['with Arabic digits', id.replaceAll('1', '\u0661')],
  ['with the letter O for zero', id.replaceAll('0', 'O')],
  ['with the letter O for zero, in two parts', `${id.slice(0, 32)} ${id.slice(32)}`.replaceAll('0', 'O')],
  ['with U+0251 for a, in parts', id.replaceAll('a', '\u0251').replaceAll(/(.{16})/g, '$1-')],
  ['after letters', `ref${id}`],
  ['before one more digit', `${id}f`],
  ['in two parts, after a letter', `f ${id.slice(0, 32)} ${id.slice(32)}`],
  ['beside another one', `${'d'.repeat(64)} ${id}`],
])('a transaction ID %s is refused', (_, disguised) => {
  expect(readTxId(other, disguised)).toBeUndefined()
})

test.each([
  id,
  id.toUpperCase(),
  `0x${id}`,
  `https://explorer.example/tx/0x${id}?chain=1`,
  `${id.slice(0, 32)} ${id.slice(32)}`,
  '转账 1234',
  '中国银行上海市分行营业部转账凭证号码二零二六年十一月二十四日第1234号订单付款',
  'Überweisung für Auftrag 4711',
  'Überweisungsauftragsbestätigungsnummer',
  'Оплата по счету 40817810099910004312 от Иванова Ивана Ивановича за заказ 4711',
  '5'.repeat(88).replaceAll('55', '5Kx'),
])('%j is accepted as a reference', (reference) => {
  expect(readTxId(other, reference)).toBe(reference)
})

const hash = 'ab12'.repeat(16)

test.each([
  hash,
  hash.toUpperCase(),
  `0x${hash}`,
  `0X${hash.toUpperCase()}`,
  `0x0x${hash}`,
  ` ${hash.slice(0, 32)} ${hash.slice(32)}\u00A0`,
  `\u200B${hash}\uFEFF`,
  hash.replaceAll('a', 'ａ').replaceAll('1', '１'),
  `tx: ${hash}.`,
  `a – ${hash}`,
  `https://explorer.example/tx/0x${hash}?chain=1`,
  hash.replaceAll('a', '\u0430'),
  hash.replaceAll('a', 'á'),
])('%j is the same transaction', (written) => {
  expect(transactionKey(written)).toBe(hash)
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
  expect(transactionKey(hash)).not.toBe(transactionKey(hash.replace('a', 'b')))
})
