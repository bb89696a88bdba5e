import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { expect, test } from 'vitest'
import { deriveAddress, readAccountKey, targetOf } from './account-key.ts'

/** Test vector of BIP-84. */
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const phrase = 'test test test test test test test test test test test junk'
const seed = pbkdf2Sync(phrase, 'mnemonic', 2048, 64, 'sha512')
const rootOf = (versions?: { public: number; private: number }) => HDKey.fromMasterSeed(seed, versions)
const ether = rootOf().derive("m/44'/60'/0'")
const bitcoin = { coin: 'BTC', kind: 'bitcoin', network: 'main' } as const
const ethereum = { coin: 'ETH', kind: 'ethereum', network: '1' } as const

test('derives the addresses of BIP-84 and BIP-44', () => {
  const addressAt = (index: number) => deriveAddress({ text: zpub }, index, 'bitcoin', 'main')
  expect(addressAt(0)).toEqual({
    address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    target: '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2',
  })
  expect(addressAt(1).address).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g')
  expect(deriveAddress({ text: ether.publicExtendedKey }, 0, 'ethereum', '1')).toEqual({
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    target: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  })
})

test('counts one key in two formats as one', () => {
  const ofVersion = (version: number) => {
    const key = HDKey.fromExtendedKey(zpub, { public: 0x04b24746, private: 0 })
    return new HDKey({
      versions: { public: version, private: 0 },
      depth: key.depth,
      index: key.index,
      parentFingerprint: key.parentFingerprint,
      chainCode: key.chainCode!,
      publicKey: key.publicKey!,
    }).publicExtendedKey
  }
  expect(ofVersion(0x04b24746)).toBe(zpub)
  const [asZpub, asXpub] = [zpub, ofVersion(0x0488b21e)].map((text) => readAccountKey(text, bitcoin))
  expect(asXpub).toMatchObject({ text: expect.stringMatching(/^xpub/) as string })
  expect(asXpub).toHaveProperty('id', (asZpub as { id: string }).id)
})

test('accepts a key of the network, and counts two coins with one key separately', () => {
  const read = readAccountKey(zpub, bitcoin)
  expect(read).toMatchObject({ text: zpub })
  expect(readAccountKey(zpub, { ...bitcoin, coin: 'BTC2' })).not.toEqual(read)
  expect(readAccountKey(ether.publicExtendedKey, ethereum)).toHaveProperty('id')
  const test = rootOf({ public: 0x045f1cf6, private: 0x045f18bc }).derive("m/84'/1'/0'")
  expect(readAccountKey(test.publicExtendedKey, { ...bitcoin, network: 'regtest' })).toHaveProperty('id')
})

test.each([
  ['a private key', ether.privateExtendedKey, /private key/],
  [
    'a private key in the form of BIP-84',
    rootOf({ public: 0x04b24746, private: 0x04b2430c }).derive("m/84'/0'/0'").privateExtendedKey,
    /private key/,
  ],
  ['the words of a wallet', phrase, /private key/],
  ['a plain private key', 'ab'.repeat(32), /private key/],
  ['a wrong checksum', zpub.replace('zpub6rFR7', 'zpub6rFR8'), /checksum/],
  ['something else', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', /extended public key/],
  [
    'a key of a test network',
    rootOf({ public: 0x043587cf, private: 0x04358394 }).derive("m/84'/0'/0'").publicExtendedKey,
    /another network/,
  ],
  [
    'a key of several signatures',
    rootOf({ public: 0x02aa7ed3, private: 0x02aa7a99 }).derive("m/84'/0'/0'").publicExtendedKey,
    /not supported/,
  ],
  ['a key below the account', rootOf().derive("m/84'/0'/0'/0").publicExtendedKey, /account key/],
])('%s is refused in a sentence without it', (_, text, sentence) => {
  const read = readAccountKey(text, bitcoin)
  expect(read).toEqual({ demand: expect.stringMatching(sentence) as string })
  expect(JSON.stringify(read)).not.toContain(text.slice(0, 12))
})

test('encodes an address as the chain does, and rejects one of another network', () => {
  // The first coinbase transaction, and BIP-16.
  expect(targetOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'bitcoin', 'main')).toBe(
    '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac',
  )
  expect(targetOf('3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'bitcoin', 'main')).toMatch(/^a914[\da-f]{40}87$/)
  // BIP-350.
  expect(targetOf('bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'bitcoin', 'main')).toBe(
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  )
  expect(targetOf('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'bitcoin', 'main')).toBeUndefined()
  expect(targetOf('bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'bitcoin', 'regtest')).toBe(
    '0014751e76e8199196d454941c45d1b3a323f1433bd6',
  )
  expect(targetOf('0xF39FD6E51AAD88F6F4CE6AB8827279CFFFB92266', 'ethereum', '1')).toBe(
    '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  )
  expect(targetOf('somewhere', 'ethereum', '1')).toBeUndefined()
})
