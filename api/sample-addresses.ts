import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress } from '#contract/chain-address.ts'
import { sampleHash } from './sample-world.ts'

const base58 = createBase58check(sha256)
const bodyOf = (words: string) => Buffer.from(sampleHash(words), 'hex').subarray(0, 20)

/** Well formed, and nobody's: what is sent there is lost. */
export const sampleBitcoinAddress = (words: string): string =>
  base58.encode(Buffer.concat([Buffer.from([0]), bodyOf(words)]))

export const sampleTokenAddress = (words: string): string =>
  base58.encode(Buffer.concat([Buffer.from([brand.chain.versions[0] ?? 0]), bodyOf(words)]))

export function sampleEthereumAddress(words: string): string {
  const checked = checkAddress('ethereum', `0x${bodyOf(words).toString('hex')}`, brand.chain)
  return 'address' in checked ? checked.address : ''
}
