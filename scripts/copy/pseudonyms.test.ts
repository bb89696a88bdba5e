import { expect, test } from 'vitest'
import { checkAddress } from '#contract/platform/chain-address.ts'
import { transactionKey } from '#api/money/orders/payment.rules.ts'
import { makePseudonyms, scrubJson } from './pseudonyms.ts'

const one = makePseudonyms(Buffer.alloc(32, 1))
const other = makePseudonyms(Buffer.alloc(32, 2))
const row = { id: 'x', member_id: 'member-1' }

test('equal values get equal replacements in one copy, and different ones in another', () => {
  const address = 'Ann@Sample.org'
  expect(one.email(address)).toBe(one.email(address.toLowerCase()))
  expect(one.email(address)).toMatch(/^person-[\da-f]{16}@people\.example$/)
  expect(one.email(address)).not.toBe(other.email(address))
  expect(one.opaque('some token of a member')).toMatch(/^[\da-f]{22}$/)
})

test('a person has the same name everywhere, whatever it was', () => {
  expect(one.name('Ann Sample', { id: 'member-1' })).toBe(one.name('安', row))
  expect(one.name('Ann Sample', { id: 'member-1' })).not.toBe(one.name('Ann Sample', { id: 'member-2' }))
})

test.each([
  ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['ethereum', '0x52908400098527886E0F7030069857D2E4169EE7'],
] as const)('an address of %s stays a valid address of its chain: %s', (chain, address) => {
  const replaced = one.address(address)
  expect(replaced).not.toBe(address)
  expect(checkAddress(chain, replaced, {})).toHaveProperty('address')
  expect(checkAddress(chain, address, {})).toHaveProperty('address')
})

test('the key of a replaced transaction is the replacement of its key', () => {
  for (const id of [`0x${'aB'.repeat(32)}`, 'Transfer 17-B of May', '12'.repeat(60)])
    expect(transactionKey(one.transaction(id))).toBe(one.transaction(transactionKey(id)))
  expect(transactionKey(one.transaction('xxx'))).toBe('')
})

test('text stays as long as it was, in characters', () => {
  for (const text of ['.', 'A note about somebody.', '安安', '😀😀😀'])
    expect(Array.from(one.text(text))).toHaveLength(Array.from(text).length)
  expect(one.text('A note about somebody.')).not.toContain('note')
})

test('JSON about a person keeps only what known fields hold', () => {
  const scrub = (value: unknown) => JSON.stringify(scrubJson(one, 'person', value, row))
  const changes = [
    { field: 'amount', before: null, after: '1.5' },
    { field: 'email', before: 'ann@sample.org', after: 'bo@sample.org' },
    { field: 'statementLine', before: null, after: 'Ann 1.5 BTC' },
  ]
  const scrubbed = scrub({ changes, fullName: 'Ann', hobby: 'Sailing', visits: 3, isGone: true })
  expect(scrubbed).not.toMatch(/ann|bo@|sailing/i)
  expect(scrubbed).toContain(one.email('bo@sample.org'))
  expect(scrubbed).toMatch(/"1\.5".*"visits":3,"isGone":true/)
})

test('JSON of the project keeps words, and replaces addresses', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const given = {
    'BTC.rate': '2',
    'BTC.receivingAddress': address,
    changes: [`fabAddress: – → ${address}`, 'amount: 1 → 2', 'reason: – → Ann asked'],
    list: [{ path: 'BTC.receivingAddress', from: address, to: '' }],
  }
  const scrubbed = scrubJson(one, 'project', given, row)
  expect(JSON.stringify(scrubbed)).not.toMatch(/52908400|Ann/)
  expect(scrubbed).toMatchObject({
    'BTC.rate': '2',
    changes: [`fabAddress: – → ${one.address(address)}`, 'amount: 1 → 2', expect.any(String)],
    list: [{ path: 'BTC.receivingAddress', from: one.address(address), to: '' }],
  })
})
