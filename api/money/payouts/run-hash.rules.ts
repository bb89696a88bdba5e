import { createHash } from 'node:crypto'
import { shortDecimal } from '#contract/platform/decimal.ts'

export type FrozenItem = { position: number; address: string; amount: string; reference: string }
export type FrozenRun = {
  number: string
  network: string
  contract: string
  decimals: number
  items: readonly FrozenItem[]
}

/**
 * Returns the text whose hash two officers compare. Anyone can write it down from the console, so it never changes: a
 * new version would begin with another first line.
 */
export const textOfRun = ({ number, network, contract, decimals, items }: FrozenRun): string =>
  [
    ['payout 1'],
    [number, network, contract, decimals],
    ...items.map(({ position, address, amount, reference }) => [
      position,
      address,
      shortDecimal(amount),
      reference,
    ]),
  ]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('')

export const hashOf = (data: string): string => createHash('sha256').update(data, 'utf8').digest('hex')

/** Returns the hash in the form in which it is stored, from any form in which it is shown: in groups or in capitals. */
export const normalizeHash = (text: string): string => text.toLowerCase().replaceAll(/[^\da-z]/g, '')
