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

/** An order without a quote, or older than the sale settings, names its chain by its pay method. */
export const payChainOf = (order: Pick<Paid, 'pay_chain' | 'pay_method'>): PayChain =>
  order.pay_chain ?? chainsByName[order.pay_method.toUpperCase()] ?? 'other'

/**
 * Of the chains of Ethereum's kind the one that the coin is on: as it is watched, or the main network for its own coin. A wallet that
 * is told another would pay another coin.
 */
function networkOf(order: Pick<Paid, 'pay_chain' | 'pay_method'>, chains: readonly Watched[]): string | null {
  const coin = coinOf(order.pay_method)
  const watched = chains.find((each) => each.coin === coin)
  if (watched) return watched.kind === 'ethereum' ? watched.network : null
  return coin === 'ETH' ? '1' : null
}

/** A payment URI: BIP-21 in whole coins, EIP-681 in wei; null for other chains, and where its network is not known. */
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
    // 10^-18 of the coin, which an amount is kept in, is one wei.
    return `ethereum:${address}@${network}${order.amount === null ? '' : `?value=${parseDecimal(order.amount)}`}`
  return null
}

export const qrSvgOf = (text: string): string => renderSVG(text, { ecc: 'M', border: 4 })

/** The transaction id in the canonical form of its chain; undefined if it is invalid. */
export function readTxId(order: Pick<Paid, 'pay_chain' | 'pay_method'>, given: string): string | undefined {
  const chain = payChainOf(order)
  if (chain === 'other') return transactionKey(given) === '' ? undefined : given
  const id = given.toLowerCase()
  const pattern = chain === 'bitcoin' ? /^[0-9a-f]{64}$/ : /^0x[0-9a-f]{64}$/
  return pattern.test(id) ? id : undefined
}
