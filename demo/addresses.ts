import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, createBase58check } from '@scure/base'
import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress, type TokenChain } from '#contract/platform/chain-address.ts'
import { sampleHash } from './world.ts'

const base58 = createBase58check(sha256)
const bodyOf = (words: string) => Buffer.from(sampleHash(words), 'hex').subarray(0, 20)
const chain: TokenChain = brand.chain

/** Returns a well-formed address that nobody owns. Coins sent to it are lost. */
export const sampleBitcoinAddress = (words: string): string =>
  base58.encode(Buffer.concat([Buffer.from([0]), bodyOf(words)]))

/** Returns an address in the format of the project's own chain. */
export function sampleTokenAddress(words: string): string {
  const body = bodyOf(words)
  if (chain.format === 'ethereum') return sampleEthereumAddress(words)
  if (chain.format === 'other') return `${chain.begins?.[0] ?? ''}${body.toString('hex')}`
  const [version] = chain.versions ?? []
  if (chain.format !== 'bech32' && version !== undefined)
    return base58.encode(Buffer.concat([Buffer.from([version]), body]))
  const witness = chain.format === 'bech32' ? [] : [0]
  return bech32.encode(chain.prefix ?? '', [...witness, ...bech32.toWords(body)])
}

export function sampleEthereumAddress(words: string): string {
  const checked = checkAddress('ethereum', `0x${bodyOf(words).toString('hex')}`, chain)
  return 'address' in checked ? checked.address : ''
}
