import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
/** What distinguishes the networks of Bitcoin. */
export type BitcoinNetwork = {
  /** Prefix of Bech32 addresses (BIP-173). */
  prefix: string
  publicKeyHash: number
  scriptHash: number
  /** Version bytes of extended public keys: BIP-32, and BIP-84 by SLIP-132. */
  accounts: readonly number[]
  /** Hash of the first block, in the notation of nodes. */
  genesis: string
  /** Name in `getblockchaininfo`. */
  chain: string
}

const testAccounts = [0x043587cf, 0x045f1cf6]

export const bitcoinNetworks = {
  main: {
    prefix: 'bc',
    publicKeyHash: 0,
    scriptHash: 5,
    accounts: [0x0488b21e, 0x04b24746],
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    chain: 'main',
  },
  test: {
    prefix: 'tb',
    publicKeyHash: 111,
    scriptHash: 196,
    accounts: testAccounts,
    genesis: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    chain: 'test',
  },
  signet: {
    prefix: 'tb',
    publicKeyHash: 111,
    scriptHash: 196,
    accounts: testAccounts,
    genesis: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    chain: 'signet',
  },
  regtest: {
    prefix: 'bcrt',
    publicKeyHash: 111,
    scriptHash: 196,
    accounts: testAccounts,
    genesis: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    chain: 'regtest',
  },
} as const satisfies Record<string, BitcoinNetwork>

type BitcoinNetworkName = keyof typeof bitcoinNetworks
export const bitcoinNetworkNames = Object.keys(bitcoinNetworks) as BitcoinNetworkName[]
export const isBitcoinNetwork = (name: string): name is BitcoinNetworkName => name in bitcoinNetworks

/**
 * The output script that pays to an address, in hexadecimal; undefined for an address of another network.
 * Outputs are matched by script, because nodes format the address of a script in several ways.
 */
type AddressFormat = Pick<BitcoinNetwork, 'prefix' | 'publicKeyHash' | 'scriptHash'>

export function outputScript(address: string, network: AddressFormat): string | undefined {
  return ofBech32(address, network) ?? ofBase58(address, network)
}

function ofBech32(address: string, { prefix }: AddressFormat): string | undefined {
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

function ofBase58(address: string, { publicKeyHash, scriptHash }: AddressFormat): string | undefined {
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
