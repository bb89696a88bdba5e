import { renderSVG } from 'uqr'
import brand from '#content/brand.json' with { type: 'json' }
import { parseDecimal, shortDecimal } from '#contract/decimal.ts'
import type { PayChain } from '#contract/sale.ts'
import { coinOf, type ChainSetting } from '../read-chains.ts'
import type { OrderRow } from './order.queries.ts'
import { shownReference } from './present-order.ts'
import { transactionKey } from './transaction-key.ts'

type Paid = Pick<OrderRow, 'pay_chain' | 'pay_method' | 'amount' | 'reference'>

type Watched = Pick<ChainSetting, 'coin' | 'kind' | 'network'>

const chainsByName: Readonly<Record<string, PayChain>> = { BTC: 'bitcoin', ETH: 'ethereum' }

/**
 * Returns the chain of an order. Without a quote, or if older than the sale settings, the payment method determines it.
 */
export const payChainOf = (order: Pick<Paid, 'pay_chain' | 'pay_method'>): PayChain =>
  order.pay_chain ?? chainsByName[order.pay_method.toUpperCase()] ?? 'other'

/**
 * Returns the network of an Ethereum-type coin: as configured, or the main network for its own coin. A wallet given the
 * wrong network would pay another coin.
 */
function networkOf(order: Pick<Paid, 'pay_chain' | 'pay_method'>, chains: readonly Watched[]): string | null {
  const coin = coinOf(order.pay_method)
  const watched = chains.find((each) => each.coin === coin)
  if (watched) return watched.kind === 'ethereum' ? watched.network : null
  return coin === 'ETH' ? '1' : null
}

/** Returns a payment URI: BIP-21 in whole coins, EIP-681 in wei; null for other chains or an unknown network. */
export function paymentUri(order: Paid, address: string, chains: readonly Watched[]): string | null {
  const chain = payChainOf(order)
  if (chain === 'bitcoin') {
    const message = `${brand.name} ${shownReference(order.reference)}`
    const parts = [
      ...(order.amount === null ? [] : [`amount=${shortDecimal(order.amount)}`]),
      `label=${encodeURIComponent(brand.name)}`,
      `message=${encodeURIComponent(message)}`,
    ]
    return `bitcoin:${address}?${parts.join('&')}`
  }
  const network = chain === 'ethereum' ? networkOf(order, chains) : null
  if (network !== null)
    // Amounts are stored with 18 decimals, and 10^-18 of the coin is one wei.
    return `ethereum:${address}@${network}${order.amount === null ? '' : `?value=${parseDecimal(order.amount)}`}`
  return null
}

export const qrSvgOf = (text: string): string => renderSVG(text, { ecc: 'M', border: 4 })

/** Returns the transaction ID in the canonical form of its chain; undefined if it is invalid. */
export function readTxId(order: Pick<Paid, 'pay_chain' | 'pay_method'>, given: string): string | undefined {
  const chain = payChainOf(order)
  if (chain === 'other') return transactionKey(given) === '' || isDisguisedId(given) ? undefined : given
  const id = given.toLowerCase()
  const pattern = chain === 'bitcoin' ? /^[0-9a-f]{64}$/ : /^0x[0-9a-f]{64}$/
  return pattern.test(id) ? id : undefined
}

/** Ordinary words are shorter than a transaction ID, and longer ones have no digits. */
const longWord = /[\p{L}\p{N}\p{M}]{32,}/gu
/** A letter or digit that may imitate one of an ID; ideographs don't look like any. */
const foreign = /[^ -~\p{Ideographic}]/u
const hash = /[0-9a-f]{64}/
/** A 32-byte hash, with any characters attached to it. */
const hashes = /[0-9a-z]*[0-9a-f]{64}[0-9a-z]*/gi
const plainHash = /^(?:0x)*[0-9a-f]{64}$/
/** ASCII letters that look like the digits of a hash. */
const digits: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1', z: '2', s: '5' }

/**
 * Whether the text contains a transaction ID in a form that would be compared as a different one: with look-alike
 * letters or digits, with other characters attached, or beside a second ID. Other references, such as those of banks,
 * may contain any text.
 */
function isDisguisedId(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '')
  const words = [...plain.matchAll(longWord)].map(([word]) => word)
  if (words.some((word) => foreign.test(word) && /\p{N}/u.test(word))) return true
  // Ignores spaces and hyphens within an ID.
  const joined = plain.replaceAll(/[^\p{L}\p{N}]/gu, '')
  if ([...words, joined].some(looksLikeHash)) return true
  const found = plain.match(hashes) ?? joined.match(hashes) ?? []
  return new Set(found.map(transactionKey)).size > 1 || found.some((each) => !plainHash.test(each))
}

/** Whether the text contains a hash only if look-alike letters and digits count, with at least half of them genuine. */
function looksLikeHash(text: string): boolean {
  const characters = [...text]
  const read = characters.map((each) => digits[each] ?? (foreign.test(each) ? '0' : each))
  const at = read
    .map((each) => (each.length === 1 ? each : ' '))
    .join('')
    .search(hash)
  const genuine = characters.slice(at, at + 64).filter((each) => /[0-9a-f]/.test(each))
  return at >= 0 && !hash.test(text) && genuine.length >= 32
}
