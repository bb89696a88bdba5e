import { txIdLengthMax } from '#contract/money/orders.ts'
import type { PayChain } from '#contract/money/sale.ts'
import type { OrderRow } from './order.queries.ts'

type Paid = Pick<OrderRow, 'pay_chain' | 'pay_method'>

const chainsByName: Readonly<Record<string, PayChain>> = { BTC: 'bitcoin', ETH: 'ethereum' }

/**
 * Returns the chain of an order. Without a quote, or if older than the sale settings, the payment method determines it.
 */
export const payChainOf = (order: Paid): PayChain =>
  order.pay_chain ?? chainsByName[order.pay_method.toUpperCase()] ?? 'other'

/** Returns the transaction ID in the canonical form of its chain; undefined if it is invalid. */
export function readTxId(order: Paid, given: string): string | undefined {
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

/**
 * Cyrillic and Greek letters that look like Latin ones, so that replacing letters in a copied ID does not produce a
 * different key.
 */
const lookalikes = new Map(
  Object.entries({
    a: 'аα',
    b: 'вβ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еε',
    h: 'нһ',
    i: 'іι',
    j: 'ј',
    k: 'кκ',
    m: 'м',
    n: 'ո',
    o: 'оο',
    p: 'рρ',
    q: 'ԛ',
    s: 'ѕ',
    t: 'тτ',
    u: 'υ',
    v: 'ѵν',
    w: 'ԝ',
    x: 'хχ',
    y: 'уγ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
)

/** A 32-byte hash, which chains use as transaction ID. */
const wholeHash = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/

/** What people enter if they have no transaction ID, written as a key. */
const placeholders = new Set(
  (
    'na none nil null no unknown undefined empty missing tbd tba todo pending notavailable notapplicable notyet ' +
    'txid transactionid 无 没有 暂无 未知 不详 不适用 待定 待补'
  ).split(' '),
)
const oneCharacter = /^(.)\1*$/u

/**
 * Returns the form in which a transaction ID is compared: the hash in it, or else its letters and digits without case,
 * accents, punctuation, invisible characters, and `0x`. Empty if nothing is left, or only a placeholder such as `n/a` or
 * `xxx`: otherwise, all orders with it would seem to share a payment. After a change to this rule, the keys
 * of stored orders must be renewed (`renew-transaction-keys.ts`).
 */
export function transactionKey(txId: string): string {
  const plain = [...txId.normalize('NFKD').toLowerCase()]
    .map((character) => lookalikes.get(character) ?? character)
    .join('')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
  const found = wholeHash.exec(plain)
  if (found) return found[0]
  const key = plain.replaceAll(/[^\p{L}\p{N}]/gu, '').replace(/^(0x)+/, '')
  if (placeholders.has(key) || oneCharacter.test(key)) return ''
  // Compatibility normalization may make the text longer.
  return wholeHash.exec(key)?.[0] ?? [...key].slice(0, txIdLengthMax).join('')
}
