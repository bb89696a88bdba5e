import { txIdLengthMax } from '#contract/orders.ts'

/** A transaction id as it is compared: without case, spaces, invisible characters and `0x`. Empty if nothing is left. */
export function transactionKey(txId: string): string {
  const key = txId
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/^(0x)+/, '')
  // Compatibility forms may be longer than what they stand for.
  return [...key].slice(0, txIdLengthMax).join('')
}
