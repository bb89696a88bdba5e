import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
import type { BitcoinNetwork } from './bitcoin-networks.ts'

/**
 * The output script that pays to an address, in hexadecimal; undefined for an address of another network.
 * Outputs are matched by script, because nodes format the address of a script in several ways.
 */
export function outputScript(address: string, network: BitcoinNetwork): string | undefined {
  return ofBech32(address, network) ?? ofBase58(address, network)
}

function ofBech32(address: string, { prefix }: BitcoinNetwork): string | undefined {
  const text = address.toLowerCase()
  if (!text.startsWith(`${prefix}1`)) return undefined
  const old = bech32.decodeUnsafe(text)
  const decoded = old ?? bech32m.decodeUnsafe(text)
  const [version, ...words] = decoded?.words ?? []
  const program = version === undefined ? undefined : bech32.fromWordsUnsafe(words)
  // BIP-350: version 0 uses the old checksum, all later ones the new.
  if (version === undefined || version > 16 || !program || (old !== undefined) !== (version === 0))
    return undefined
  if (program.length < 2 || program.length > 40) return undefined
  return bytesToHex(Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length, ...program))
}

function ofBase58(address: string, { publicKeyHash, scriptHash }: BitcoinNetwork): string | undefined {
  const bytes = decodeChecked(address)
  if (bytes?.length !== 21) return undefined
  const hash = bytesToHex(bytes.subarray(1))
  if (bytes[0] === publicKeyHash) return `76a914${hash}88ac`
  return bytes[0] === scriptHash ? `a914${hash}87` : undefined
}

/** Decodes Base58Check and removes the checksum; undefined if that is wrong. */
export function decodeChecked(text: string): Uint8Array | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{1,120}$/.test(text)) return undefined
  const bytes = base58.decode(text)
  const [data, sum] = [bytes.subarray(0, -4), bytes.subarray(-4)]
  const right = sha256(sha256(data))
  return bytes.length > 4 && sum.every((byte, index) => byte === right[index]) ? data : undefined
}
