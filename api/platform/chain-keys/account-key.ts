import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bech32 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { checkAddress } from '#contract/platform/chain-address.ts'
import { bitcoinNetworks, isBitcoinNetwork, decodeChecked, outputScript } from './bitcoin-networks.ts'

export type ChainKind = 'bitcoin' | 'ethereum'

/** An extended public key from which receiving addresses are derived: it can't spend anything. */
export type AccountKey = {
  /** A hash that identifies the key in the count of assigned addresses. */
  id: string
  text: string
}

type Derived = {
  address: string
  /** Recipient in the chain's own encoding: the output script, or the lowercase address. */
  target: string
}

/**
 * 4 bytes of version, depth, 4 of the parent, 4 of the number, 32 of the chain code, 33 of the key (BIP-32).
 */
const keyBytes = 78
/** Offset of the chain code, which the key follows. */
const keyStart = 13
/**
 * The account level of BIP-44 and BIP-84. Some wallets export a shallower key; a deeper one is not an account.
 */
const depthMax = 3
/** BIP-32 versions of main and test networks, used by every chain. */
const plain = { main: 0x0488b21e, test: 0x043587cf }
/** SLIP-132 versions: multi-signature, or nested in an older format. */
const ofOtherWallets = new Set([0x049d7cb2, 0x044a5262, 0x0295b43f, 0x02aa7ed3, 0x024289ef, 0x02575483])

/** The key, or a sentence about its problem, which never contains the input. */
export function readAccountKey(
  text: string,
  { coin, kind, network }: { coin: string; kind: ChainKind; network: string },
): AccountKey | { demand: string } {
  const bytes = decodeChecked(text)
  if (/^\s*(?:[a-z]+\s+){11,}[a-z]+\s*$/.test(text) || /^(?:0x)?[\da-f]{64}$/i.test(text) || isPrivate(bytes))
    return {
      demand:
        'must be an extended public key, not a private key: remove the private key from this machine, and move its funds to a new wallet',
    }
  if (bytes?.length !== keyBytes)
    return { demand: 'must be an extended public key, such as xpub… or zpub…, with a valid checksum' }
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  if (ofOtherWallets.has(version))
    return {
      demand: 'must be the xpub or zpub of a BIP-84 account; other address types are not supported',
    }
  if (!versionsOf(kind, network).includes(version))
    return { demand: `must be a key for ${network}, not for another network` }
  if ((bytes[4] ?? 0) > depthMax)
    return { demand: 'must be an account key, such as m/84h/0h/0h or m/44h/60h/0h, not a key below it' }
  // One key can be written as `xpub` and as `zpub` with the same addresses, so only the key itself is hashed.
  const counted = sha256(concatBytes(utf8ToBytes(`${coin} `), bytes.subarray(keyStart)))
  const key = { id: bytesToHex(counted).slice(0, 32), text }
  try {
    deriveAddress(key, 0, kind, network)
    return key
  } catch {
    return { demand: 'must be an extended public key of a point on the curve' }
  }
}

/** Whatever its version says: a private key's data starts with a zero byte. */
const isPrivate = (bytes: Uint8Array | undefined): boolean => bytes?.length === keyBytes && bytes[45] === 0

function versionsOf(kind: ChainKind, network: string): readonly number[] {
  if (kind === 'bitcoin') return isBitcoinNetwork(network) ? bitcoinNetworks[network].accounts : []
  return network === '1' ? [plain.main] : [plain.main, plain.test]
}

/** The receiving address `0/index` of the account: BIP-84 for Bitcoin, BIP-44 for Ethereum. */
export function deriveAddress(
  { text }: Pick<AccountKey, 'text'>,
  index: number,
  kind: ChainKind,
  network: string,
): Derived {
  const bytes = decodeChecked(text) ?? new Uint8Array(keyBytes)
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const { publicKey } = HDKey.fromExtendedKey(text, { public: version, private: 0 })
    .deriveChild(0)
    .deriveChild(index)
  if (!publicKey) throw new Error('no key')
  return kind === 'bitcoin' ? ofBitcoin(publicKey, network) : ofEthereum(publicKey)
}

function ofBitcoin(publicKey: Uint8Array, network: string): Derived {
  if (!isBitcoinNetwork(network)) throw new Error('no such network')
  const words = bech32.toWords(ripemd160(sha256(publicKey)))
  const address = bech32.encode(bitcoinNetworks[network].prefix, [0, ...words])
  const target = outputScript(address, bitcoinNetworks[network])
  if (target === undefined) throw new Error('no script')
  return { address, target }
}

function ofEthereum(publicKey: Uint8Array): Derived {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  const target = `0x${bytesToHex(keccak_256(point.subarray(1)).subarray(-20))}`
  const checked = checkAddress('ethereum', target, {})
  if (!('address' in checked)) throw new Error('no address')
  return { address: checked.address, target }
}

/** The chain's encoding of a shared address; undefined if it belongs to another network. */
export function targetOf(address: string, kind: ChainKind, network: string): string | undefined {
  if (kind === 'bitcoin')
    return isBitcoinNetwork(network) ? outputScript(address, bitcoinNetworks[network]) : undefined
  const checked = checkAddress('ethereum', address, {})
  return 'address' in checked ? checked.address.toLowerCase() : undefined
}
