import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m, createBase58check } from '@scure/base'

/** The names of a project, wherever they occur. */
export type Named = {
  name: string
  ticker: string
  domain: string
  /** The address prefix, those of test networks, and the version bytes. Both projects list them in the same order. */
  prefix: string
  testPrefixes: readonly string[]
  versions: readonly number[]
}

const base58 = createBase58check(sha256)
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The name for programs and files: `blue-finch`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** The name as one word: `BlueFinch`. */
export const compactOf = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** Renames a project in a text: its names, its address prefixes, and whole addresses with their checksums. */
export function renameWords(text: string, from: Named, to: Named): string {
  const prefixes = [from.prefix, ...from.testPrefixes]
  const newPrefix = (old: string): string =>
    [to.prefix, ...to.testPrefixes][prefixes.indexOf(old)] ?? to.prefix
  const anyPrefix = prefixes.map(escaped).join('|')
  return (
    text
      .replaceAll(
        new RegExp(String.raw`\b(${anyPrefix})1[02-9ac-hj-np-z]{20,}\b`, 'g'),
        (address, prefix: string) => inOtherPrefix(address, newPrefix(prefix)),
      )
      .replaceAll(/\b[1-9A-HJ-NP-Za-km-z]{26,36}\b/g, (address) =>
        inOtherVersion(address, from.versions, to.versions),
      )
      .replaceAll(
        new RegExp(String.raw`\b(${anyPrefix})(1[a-z0-9]*)?\b`, 'g'),
        (_, prefix: string, rest = '') => newPrefix(prefix) + String(rest),
      )
      .replaceAll(new RegExp(escaped(from.domain), 'g'), () => to.domain)
      // There is no space between a name and a word that it begins, as in `NameNode`.
      .replaceAll(new RegExp(String.raw`${escaped(compactOf(from.name))}(?=\p{Lu})`, 'gu'), () =>
        compactOf(to.name),
      )
      .replaceAll(new RegExp(escaped(from.name), 'g'), () => to.name)
      .replaceAll(new RegExp(escaped(slugOf(from.name)), 'g'), () => slugOf(to.name))
      .replaceAll(
        new RegExp(String.raw`(?<![A-Za-z])${escaped(from.ticker)}(?![A-Za-z])`, 'g'),
        () => to.ticker,
      )
  )
}

/**
 * Converts an address to the other chain's prefix, for the same key. If its checksum was never valid, only the prefix
 * is changed.
 */
function inOtherPrefix(address: string, prefix: string): string {
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(address, 128)
    if (decoded) return coder.encode(prefix, decoded.words, 128)
  }
  return prefix + address.slice(address.indexOf('1'))
}

function inOtherVersion(address: string, from: readonly number[], to: readonly number[]): string {
  let bytes: Uint8Array
  try {
    bytes = base58.decode(address)
  } catch {
    return address
  }
  const at = from.indexOf(bytes[0] ?? -1)
  const version = to[at]
  return bytes.length === 21 && at >= 0 && version !== undefined
    ? base58.encode(Uint8Array.of(version, ...bytes.subarray(1)))
    : address
}
