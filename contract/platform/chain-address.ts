import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
import type { FieldProblem } from './errors.ts'

/** `token` is the project's own chain. Its address format is content (`brand.json`, `chain`). */
export type AddressChain = 'bitcoin' | 'ethereum' | 'token'

/** A chain that uses Base58Check with a version byte, or Bech32 with a prefix. */
type BitcoinLike = {
  prefix?: string | undefined
  versions?: readonly number[] | undefined
  testPrefixes?: readonly string[] | undefined
  testVersions?: readonly number[] | undefined
}

/** The project's own chain, as `brand.json` describes it (`chain` in `api/publishing/content/rules/brand-schema.ts`). */
export type TokenChain = BitcoinLike & {
  /** `bitcoin` by default, `bech32`, `ethereum` or `other`. */
  format?: string | undefined
  begins?: readonly string[] | undefined
}

export type AddressProblem = Extract<FieldProblem, 'address' | `address_${string}`>
type CheckedAddress = { address: string } | { problem: AddressProblem }

const bitcoin: BitcoinLike = {
  prefix: 'bc',
  versions: [0, 5],
  testPrefixes: ['tb', 'bcrt'],
  testVersions: [111, 196],
}

const chains: readonly AddressChain[] = ['bitcoin', 'ethereum', 'token']

/**
 * Returns an address in the canonical form of its chain, or the problem with it. Verifies checksums (EIP-55,
 * Base58Check, BIP-173, BIP-350). An Ethereum address in a single case has no checksum and is accepted.
 */
export function checkAddress(chain: AddressChain, input: string, token: TokenChain): CheckedAddress {
  const text = input.trim()
  const checked = checkOn(chain, text, token)
  if ('address' in checked) return checked
  const isOfAnother = chains.some(
    (other) => other !== chain && isDistinct(other, token) && 'address' in checkOn(other, text, token),
  )
  return isOfAnother ? { problem: 'address_wrong_chain' } : checked
}

/** Addresses without a format of their own can't be told apart from those of other chains. */
const isDistinct = (chain: AddressChain, token: TokenChain): boolean =>
  chain !== 'token' || token.format !== 'other'

function checkOn(chain: AddressChain, text: string, token: TokenChain): CheckedAddress {
  if (chain === 'ethereum' || (chain === 'token' && token.format === 'ethereum')) return checkEthereum(text)
  if (chain === 'token' && token.format === 'bech32') return checkPlainBech32(text, token)
  if (chain === 'token' && token.format === 'other') return checkBeginning(text, token)
  const like = chain === 'bitcoin' ? bitcoin : token
  const checked = checkBase58(text, like)
  return 'problem' in checked && looksLikeBech32.test(text) ? checkBech32(text, like) : checked
}

/** Accepts any Bech32 payload, but verifies the prefix and the checksum. */
function checkPlainBech32(text: string, like: TokenChain): CheckedAddress {
  const lower = text.toLowerCase()
  const prefix = lower.slice(0, Math.max(0, lower.lastIndexOf('1')))
  if (!/^[!-~]{8,128}$/.test(text) || prefix === '') return { problem: 'address' }
  if (text !== lower && text !== text.toUpperCase()) return { problem: 'address_mixed_case' }
  if (like.testPrefixes?.includes(prefix)) return { problem: 'address_test_network' }
  if (prefix !== like.prefix) return { problem: 'address_wrong_chain' }
  const longest = 128
  const isSound = [bech32, bech32m].some((one) => one.decodeUnsafe(lower, longest) !== undefined)
  return isSound ? { address: lower } : { problem: 'address_checksum' }
}

/** For chains whose checksum is unknown. */
function checkBeginning(text: string, { begins = [] }: TokenChain): CheckedAddress {
  if (!/^[!-~]+$/.test(text)) return { problem: 'address' }
  if (text.length < 8 || text.length > 128) return { problem: 'address_length' }
  const hasBeginning = begins.length === 0 || begins.some((each) => text.startsWith(each))
  return hasBeginning ? { address: text } : { problem: 'address_wrong_chain' }
}

/** EIP-55: the case of each letter is a bit of the hash. */
function checkEthereum(text: string): CheckedAddress {
  const hex = text.replace(/^0x/i, '')
  if (!/^[0-9a-f]+$/i.test(hex)) return { problem: 'address' }
  if (hex.length !== 40) return { problem: 'address_length' }
  // Nobody has the key of the zero address, so what is sent there is lost.
  if (/^0+$/.test(hex)) return { problem: 'address' }
  const checked = withCaseChecksum(hex.toLowerCase())
  const isOneCase = hex === hex.toLowerCase() || hex === hex.toUpperCase()
  return isOneCase || checked === hex ? { address: `0x${checked}` } : { problem: 'address_checksum' }
}

function withCaseChecksum(hex: string): string {
  const hash = keccak_256(utf8ToBytes(hex))
  const nibble = (index: number) => ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15
  return hex.replaceAll(/./g, (digit, index: number) => (nibble(index) >= 8 ? digit.toUpperCase() : digit))
}

/** A prefix, `1`, and characters of the BIP-173 alphabet. */
const looksLikeBech32 = /^[a-z0-9]{1,20}1[02-9ac-hj-np-z]{8,}$/i

function checkBech32(text: string, like: BitcoinLike): CheckedAddress {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return { problem: 'address_mixed_case' }
  const prefix = lower.slice(0, lower.lastIndexOf('1'))
  if (like.testPrefixes?.includes(prefix)) return { problem: 'address_test_network' }
  if (prefix !== like.prefix) return { problem: 'address_wrong_chain' }
  if (![witnessLength(prefix, 20), witnessLength(prefix, 32)].includes(text.length))
    return { problem: 'address_length' }
  const old = bech32.decodeUnsafe(lower)
  const words = (old ?? bech32m.decodeUnsafe(lower))?.words
  if (!words) return { problem: 'address_checksum' }
  return checkWitness(words[0] ?? 0, bech32.fromWordsUnsafe(words.slice(1)), old !== undefined, lower)
}

/** Length of prefix, separator, version, program in 5-bit words, and a 6-word checksum. */
const witnessLength = (prefix: string, programBytes: number): number =>
  prefix.length + 2 + Math.ceil((programBytes * 8) / 5) + 6

/** Version 0 uses Bech32, version 1 Bech32m (BIP-350). Payments to later versions are not safe yet. */
function checkWitness(
  version: number,
  program: Uint8Array | void,
  isOldChecksum: boolean,
  address: string,
): CheckedAddress {
  if (!program || version > 1) return { problem: 'address' }
  if (isOldChecksum !== (version === 0)) return { problem: 'address_checksum' }
  if (version === 1 && program.length !== 32) return { problem: 'address_length' }
  return { address }
}

/** One version byte, 20 bytes of hash, and four bytes of double SHA-256. */
const base58Bytes = 25

function checkBase58(text: string, like: BitcoinLike): CheckedAddress {
  if (!/^[1-9A-HJ-NP-Za-km-z]{1,64}$/.test(text)) return { problem: 'address' }
  const bytes = base58.decode(text)
  if (bytes.length !== base58Bytes) return { problem: 'address_length' }
  const sum = sha256(sha256(bytes.subarray(0, -4)))
  if (!bytes.subarray(-4).every((byte, index) => byte === sum[index])) return { problem: 'address_checksum' }
  const version = bytes[0] ?? -1
  if (like.versions?.includes(version)) return { address: text }
  return { problem: like.testVersions?.includes(version) ? 'address_test_network' : 'address_wrong_chain' }
}
