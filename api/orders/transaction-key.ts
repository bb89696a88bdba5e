import { txIdLengthMax } from '#contract/orders.ts'

/** Cyrillic and Greek letters that look like Latin ones, so that a copied id cannot be made another by its letters. */
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

/** A hash of 32 bytes, as chains name their transactions. */
const hash = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/

/**
 * A transaction id as it is compared: the hash in it, or else its letters and digits, without case, accents, punctuation,
 * invisible characters and `0x`. Empty if nothing is left. After a change of this rule the keys of stored orders are to be
 * made anew (`renew-transaction-keys.ts`).
 */
export function transactionKey(txId: string): string {
  const plain = [...txId.normalize('NFKD').toLowerCase()]
    .map((character) => lookalikes.get(character) ?? character)
    .join('')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
  const found = hash.exec(plain)
  if (found) return found[0]
  const key = plain.replaceAll(/[^\p{L}\p{N}]/gu, '').replace(/^(0x)+/, '')
  // Compatibility forms may be longer than what they stand for.
  return hash.exec(key)?.[0] ?? [...key].slice(0, txIdLengthMax).join('')
}
