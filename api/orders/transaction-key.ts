import { txIdLengthMax } from '#contract/orders.ts'

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
const hash = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/

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
  const found = hash.exec(plain)
  if (found) return found[0]
  const key = plain.replaceAll(/[^\p{L}\p{N}]/gu, '').replace(/^(0x)+/, '')
  if (placeholders.has(key) || oneCharacter.test(key)) return ''
  // Compatibility normalization may make the text longer.
  return hash.exec(key)?.[0] ?? [...key].slice(0, txIdLengthMax).join('')
}
