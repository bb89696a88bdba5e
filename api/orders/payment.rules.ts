import { renderSVG } from 'uqr'
import brand from '#content/brand.json' with { type: 'json' }
import { parseDecimal, shortDecimal } from '#contract/decimal.ts'
import type { PayChain } from '#contract/sale.ts'
import type { OrderRow } from './order.queries.ts'
import { shownReference } from './present-order.ts'
import { transactionKey } from './transaction-key.ts'

type Paid = Pick<OrderRow, 'pay_chain' | 'pay_method' | 'amount' | 'reference'>

const chainsByName: Readonly<Record<string, PayChain>> = { BTC: 'bitcoin', ETH: 'ethereum' }

/** An order without a quote, or older than the sale settings, names its chain by its pay method. */
export const chainOf = (order: Pick<Paid, 'pay_chain' | 'pay_method'>): PayChain =>
  order.pay_chain ?? chainsByName[order.pay_method.toUpperCase()] ?? 'other'

/** A payment URI: BIP-21 in whole coins, EIP-681 in wei on the main network; null for other chains. */
export function paymentUri(order: Paid, address: string): string | null {
  const chain = chainOf(order)
  if (chain === 'bitcoin') {
    const message = `${brand.name} ${shownReference(order.reference)}`
    const parts = [
      ...(order.amount === null ? [] : [`amount=${shortDecimal(order.amount)}`]),
      `label=${encodeURIComponent(brand.name)}`,
      `message=${encodeURIComponent(message)}`,
    ]
    return `bitcoin:${address}?${parts.join('&')}`
  }
  if (chain === 'ethereum')
    // 10^-18 of the coin, which an amount is kept in, is one wei.
    return `ethereum:${address}@1${order.amount === null ? '' : `?value=${parseDecimal(order.amount)}`}`
  return null
}

export const qrSvgOf = (text: string): string => renderSVG(text, { ecc: 'M', border: 4 })

/** The transaction id in the canonical form of its chain; undefined if it is invalid. */
export function readTxId(order: Pick<Paid, 'pay_chain' | 'pay_method'>, given: string): string | undefined {
  const chain = chainOf(order)
  if (chain === 'other') return transactionKey(given) === '' ? undefined : given
  const id = given.toLowerCase()
  const pattern = chain === 'bitcoin' ? /^[0-9a-f]{64}$/ : /^0x[0-9a-f]{64}$/
  return pattern.test(id) ? id : undefined
}
