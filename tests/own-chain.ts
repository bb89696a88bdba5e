import { sampleTokenAddress } from '#demo/addresses.ts'
import brand from '#content/brand.json' with { type: 'json' }
import type { AddressProblem, TokenChain } from '#contract/chain-address.ts'

/** A sound address of the project's own chain, whatever that chain is. */
export const ownAddress = sampleTokenAddress('a test')

/** The same with one digit wrong. */
export const misspeltAddress = ownAddress.replace(/.(?=.{4}$)/, (digit) => (digit === '2' ? '3' : '2'))

// Whether the file names its format is up to whose coin it is.
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
