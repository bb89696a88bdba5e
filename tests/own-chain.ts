import { sampleTokenAddress } from '#demo/addresses.ts'
import brand from '#content/brand.json' with { type: 'json' }
import type { AddressProblem, TokenChain } from '#contract/platform/chain-address.ts'

/** A valid address of the project's own chain. */
export const ownAddress = sampleTokenAddress('a test')

/** The same address with one wrong character. */
export const misspeltAddress = ownAddress.replace(/.(?=.{4}$)/, (digit) => (digit === '2' ? '3' : '2'))

// A project may or may not name the address format in its file.
const { format = 'bitcoin' } = brand.chain as TokenChain
const wrong: Record<string, [text: string, problem: AddressProblem][]> = {
  bitcoin: [
    ['F1', 'address_length'],
    ['my wallet', 'address'],
    [ownAddress.slice(0, 20), 'address_length'],
    ['own1Pupdhzxuy8rc6nsfalwadmsj0vsgl4skqp733n4pr76cnlhy3up7qkt6gqs', 'address_mixed_case'],
  ],
  bech32: [
    ['my wallet', 'address'],
    [misspeltAddress, 'address_checksum'],
  ],
  ethereum: [
    ['my wallet', 'address'],
    ['0x12', 'address_length'],
  ],
  other: [['my wallet', 'address']],
}
export const wrongOwnAddresses = wrong[format] ?? []
