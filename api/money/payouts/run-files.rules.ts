import { csvLine } from '#contract/platform/csv.ts'
import { decimalPlaces, parseDecimal, shortDecimal } from '#contract/platform/decimal.ts'
import type { PayoutFormat } from '#contract/money/payouts.ts'
import type { FrozenRun } from './run-hash.rules.ts'

export type RunToExport = FrozenRun & { hash: string; frozenAt: Date }

type FileFormat = { extension: string; contentType: string; write: (run: RunToExport) => string }

const csvType = 'text/csv; charset=utf-8'
const jsonType = 'application/json; charset=utf-8'

/** Returns the amount in the token's smallest unit. Throws if it isn't a whole number of them. */
export function smallestUnits(amount: string, decimals: number): string {
  const unit = 10n ** BigInt(decimalPlaces - decimals)
  const value = parseDecimal(amount)
  if (value % unit !== 0n) throw new Error('the amount has more decimal places than the token')
  return String(value / unit)
}

/** Whether the token can represent the amount. */
export const isRepresentable = (amount: string, decimals: number): boolean =>
  parseDecimal(amount) % 10n ** BigInt(decimalPlaces - decimals) === 0n

/** Whether the address is written to a file unchanged: a spreadsheet must not take it for a formula. */
export const isWritable = (address: string): boolean => /^[\da-z][^\s",;]*$/i.test(address)

const writeCsv = ({ hash, items }: RunToExport): string =>
  [
    ['address', 'amount', 'reference', 'run'],
    ...items.map(({ address, amount, reference }) => [address, shortDecimal(amount), reference, hash]),
  ]
    .map(csvLine)
    .join('')

const writeDisperse = ({ items }: RunToExport): string =>
  items.map(({ address, amount }) => `${address},${shortDecimal(amount)}\n`).join('')

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The name and the types of an ERC-20 transfer, from which Safe builds the call. */
const transferMethod = {
  name: 'transfer',
  payable: false,
  inputs: [
    { name: 'to', type: 'address', internalType: 'address' },
    { name: 'value', type: 'uint256', internalType: 'uint256' },
  ],
}

/** The time is that of the run, so that each export has the same bytes. */
const writeSafe = ({ number, network, contract, decimals, hash, frozenAt, items }: RunToExport): string =>
  json({
    version: '1.0',
    chainId: chainIdOf(network),
    createdAt: frozenAt.getTime(),
    meta: { name: `Payout ${number}`, description: hash, txBuilderVersion: '1.17.0' },
    transactions: items.map(({ address, amount }) => {
      const value = smallestUnits(amount, decimals)
      return contract === ''
        ? { to: address, value, data: '0x' }
        : {
            to: contract,
            value: '0',
            data: null,
            contractMethod: transferMethod,
            contractInputsValues: { to: address, value },
          }
    }),
  })

/** `outputs` is an argument of Bitcoin Core's `walletcreatefundedpsbt`. Text keeps every decimal place. */
const writePsbt = ({ hash, items }: RunToExport): string =>
  json({ run: hash, outputs: items.map(({ address, amount }) => ({ [address]: shortDecimal(amount) })) })

export const fileFormats: Readonly<Record<PayoutFormat, FileFormat>> = {
  csv: { extension: 'csv', contentType: csvType, write: writeCsv },
  safe: { extension: 'json', contentType: jsonType, write: writeSafe },
  disperse: { extension: 'csv', contentType: csvType, write: writeDisperse },
  psbt: { extension: 'json', contentType: jsonType, write: writePsbt },
}

const chainIdOf = (network: string): string => /^ethereum (\d+)$/.exec(network)?.[1] ?? ''

/** Returns the formats for a network as a run stores it. A Safe batch needs the ID of its chain. */
export function formatsOf(network: string): PayoutFormat[] {
  if (network.startsWith('bitcoin')) return ['csv', 'psbt']
  if (!network.startsWith('ethereum')) return ['csv']
  return chainIdOf(network) === '' ? ['csv', 'disperse'] : ['csv', 'safe', 'disperse']
}

/** Whether the network allows only one output per address in a transaction. */
export const takesAddressOnce = (network: string): boolean => network.startsWith('bitcoin')

const hex64 = /^[\da-f]{64}$/

/** Returns a transaction ID in the form of the network, or undefined if it can't be one. */
export function normalizeTransaction(network: string, text: string): string | undefined {
  const id = text.trim()
  if (network.startsWith('bitcoin')) return hex64.test(id.toLowerCase()) ? id.toLowerCase() : undefined
  if (network.startsWith('ethereum')) {
    const hex = id.toLowerCase().replace(/^0x/, '')
    return hex64.test(hex) ? `0x${hex}` : undefined
  }
  return /^[!-~]{4,128}$/.test(id) ? id : undefined
}

/** A Disperse list has no place for the hash, so the name of each file has it. */
export const fileNameOf = ({ number, hash }: Pick<RunToExport, 'number' | 'hash'>, format: PayoutFormat) =>
  `payout-${number}-${format}-${hash}.${fileFormats[format].extension}`
