import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58check, bech32, bech32m } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAddress, type AddressChain, type TokenChain } from './chain-address.ts'

const token: TokenChain = { prefix: 'own', versions: [35, 50], testPrefixes: ['town'], testVersions: [] }
const check = (chain: AddressChain, text: string) => checkAddress(chain, text, token)
const base58 = base58check(sha256)
const fixed = { seed: 20_261_121, numRuns: 300 }

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const witness = (prefix: string) =>
  fc
    .oneof(fc.tuple(fc.constant(0), fc.oneof(bytes(20), bytes(32))), fc.tuple(fc.constant(1), bytes(32)))
    .map(([version, program]) =>
      (version === 0 ? bech32 : bech32m).encode(prefix, [version, ...bech32.toWords(program)]),
    )
const keyHash = (versions: number[]) =>
  fc
    .tuple(fc.constantFrom(...versions), bytes(20))
    .map(([version, hash]) => base58.encode(Uint8Array.of(version, ...hash)))
const ethereum = bytes(20)
  .map((all) => bytesToHex(all))
  .map((hex) => (check('ethereum', hex) as { address: string }).address)
  .filter((address) => /[a-f]/.test(address) && /[A-F]/.test(address))

const valid: Record<AddressChain, fc.Arbitrary<string>> = {
  bitcoin: fc.oneof(witness('bc'), keyHash([0, 5])),
  token: fc.oneof(witness('own'), keyHash([35, 50])),
  ethereum,
}
const chains = Object.keys(valid) as AddressChain[]

describe.each(chains)('any address of %s', (chain) => {
  test('is accepted and returned unchanged, without surrounding spaces', () => {
    fc.assert(
      fc.property(valid[chain], (address) => {
        expect(check(chain, ` ${address}\n`)).toEqual({ address })
      }),
      fixed,
    )
  })

  test('is refused for every other chain, with the name of its own', () => {
    fc.assert(
      fc.property(valid[chain], (address) => {
        for (const other of chains.filter((each) => each !== chain))
          expect(check(other, address)).toEqual({ problem: 'address_wrong_chain' })
      }),
      fixed,
    )
  })

  test('is refused with one changed character', () => {
    const characters = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
    fc.assert(
      fc.property(valid[chain], fc.nat(), fc.constantFrom(...characters), (address, at, character) => {
        const index = at % address.length
        const changed = address.slice(0, index) + character + address.slice(index + 1)
        // `0X` is accepted as `0x`.
        fc.pre(changed !== address && (index > 1 || changed.toLowerCase() !== address.toLowerCase()))
        expect(check(chain, changed)).toHaveProperty('problem')
      }),
      { ...fixed, numRuns: 3000 },
    )
  })

  test('is refused when a character is missing, doubled, or swapped with its neighbor', () => {
    fc.assert(
      fc.property(valid[chain], fc.nat(), (address, at) => {
        const index = 2 + (at % (address.length - 3))
        const [before, here, next] = [address.slice(0, index), address[index]!, address[index + 1]!]
        const rest = address.slice(index + 2)
        const wrong = [
          before + next + rest,
          before + here + here + next + rest,
          before + next + here + rest,
        ].filter((changed) => changed !== address)
        expect(wrong.map((changed) => 'problem' in check(chain, changed))).not.toContain(false)
      }),
      { ...fixed, numRuns: 1000 },
    )
  })
})

test('never throws on any typed text', () => {
  fc.assert(
    fc.property(fc.constantFrom(...chains), fc.string({ unit: 'binary', maxLength: 128 }), (chain, text) => {
      expect(check(chain, text)).toHaveProperty('problem')
    }),
    { ...fixed, numRuns: 1000 },
  )
})

// https://eips.ethereum.org/EIPS/eip-55, "Test Cases"
test.each([
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
])('EIP-55: %s', (address) => {
  expect(check('ethereum', address)).toEqual({ address })
  for (const other of [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`, address.slice(2)])
    expect(check('ethereum', other)).toEqual({ address })
})

// BIP-173 and BIP-350, "Test vectors": main network, versions 0 and 1, in lower case as wallets write them.
test.each([
  'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
  'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
])('BIP-173 and BIP-350: %s', (address) => {
  expect(check('bitcoin', address)).toEqual({ address: address.toLowerCase() })
})

test.each([
  // Valid according to BIP-350, but payments to these versions are not safe yet.
  ['bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y', 'address_length'],
  ['BC1SW50QGDZ25J', 'address_length'],
  ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'address_length'],
  // Test networks.
  ['tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy', 'address_test_network'],
  ['tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c', 'address_test_network'],
  ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'address_test_network'],
  ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'address_test_network'],
  ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'address_test_network'],
  // Invalid according to BIP-173 and BIP-350.
  ['tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty', 'address_wrong_chain'],
  ['tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut', 'address_wrong_chain'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'address_checksum'],
  ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'address_checksum'],
  ['BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2', 'address'],
  ['bc1rw5uspcuh', 'address_length'],
  ['bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90', 'address_length'],
  ['BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'address_length'],
  ['bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'address'],
  ['bc1pw5dgrnzv', 'address_length'],
  ['bc1gmk9yu', 'address_length'],
  ['BC1QW508d6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'address_mixed_case'],
  ['bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47', 'address_checksum'],
  // Base58Check.
  ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'address_checksum'],
  ['1BvBMSEYstWetqTFn5Au4m4GFg7x', 'address_length'],
  ['LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1', 'address_wrong_chain'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'address_wrong_chain'],
  ['', 'address'],
  ['my wallet', 'address'],
])('rejects %s for Bitcoin: %s', (address, problem) => {
  expect(check('bitcoin', address)).toEqual({ problem })
})

test.each([
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'address_checksum'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'address_length'],
  ['0x', 'address'],
  [`0x${'0'.repeat(40)}`, 'address'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg', 'address'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'address_wrong_chain'],
])('rejects %s for Ethereum: %s', (address, problem) => {
  expect(check('ethereum', address)).toEqual({ problem })
})

test.each([
  'own1pupdhzxuy8rc6nsfalwadmsj0vsgl4skqp733n4pr76cnlhy3up7q47wdy5',
  'FSHQNG5mJK72BheCEFS2MJFtYoZ7q4CXLD',
  'MUMT8tZ5x24ATCjVbYRodBLgzNRGUriwH6',
])('accepts an address of the token’s own chain: %s', (address) => {
  expect(check('token', address)).toEqual({ address })
})

test('identifies an address of the token’s test network', () => {
  expect(check('token', 'town1pupdhzxuy8rc6nsfalwadmsj0vsgl4skqp733n4pr76cnlhy3up7q732nmp')).toEqual({
    problem: 'address_test_network',
  })
})

describe('a token on a chain of another format', () => {
  const ofEthereum: TokenChain = { format: 'ethereum' }
  const cosmic: TokenChain = { format: 'bech32', prefix: 'sky', testPrefixes: ['tsky'] }
  const other: TokenChain = { format: 'other', begins: ['kt'] }
  const hash = new Uint8Array(20).fill(7)
  const asBech32 = (prefix: string) => bech32.encode(prefix, bech32.toWords(hash))
  const checked = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

  test.each<[string, TokenChain, string, object]>([
    ['of Ethereum', ofEthereum, checked, { address: checked }],
    ['of Ethereum', ofEthereum, checked.replace('d', 'D'), { problem: 'address_checksum' }],
    ['with a prefix', cosmic, asBech32('sky'), { address: asBech32('sky') }],
    ['with a prefix', cosmic, asBech32('tsky'), { problem: 'address_test_network' }],
    ['with a prefix', cosmic, asBech32('star'), { problem: 'address_wrong_chain' }],
    ['with a prefix', cosmic, asBech32('sky').replace(/.$/, '2'), { problem: 'address_checksum' }],
    ['with a prefix', cosmic, 'my wallet', { problem: 'address' }],
    ['unknown to us', other, 'kt1AbCdEf', { address: 'kt1AbCdEf' }],
    ['unknown to us', other, 'kt 1AbCdEf', { problem: 'address' }],
    ['unknown to us', other, 'kt1', { problem: 'address_length' }],
    ['unknown to us', other, '1kt1AbCdEf', { problem: 'address_wrong_chain' }],
  ])('%s: %o accepts %s as %o', (_, chain, text, result) => {
    expect(checkAddress('token', text, chain)).toEqual(result)
  })

  test('does not mistake every invalid Bitcoin address for a token address', () => {
    expect(checkAddress('bitcoin', 'kt1AbCdEf', other)).toEqual({ problem: 'address_length' })
  })
})
