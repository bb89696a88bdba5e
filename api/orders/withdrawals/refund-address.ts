import brand from '#content/brand.json' with { type: 'json' }
import { checkAddress } from '#contract/chain-address.ts'
import { currencyOf, defaultCurrency } from '#contract/orders.ts'
import type { PayChain } from '#contract/sale.ts'
import { refusedField } from '../../refused.ts'
import type { OrderRow } from '../order.queries.ts'
import { payChainOf } from '../payment.rules.ts'

/**
 * Returns the chain of the refund address: that of the coin paid with. A payment from a bank account is refunded to
 * that account.
 */
export function refundChainOf(order: Pick<OrderRow, 'pay_chain' | 'pay_method'>): PayChain | null {
  const chain = payChainOf(order)
  const isMoney =
    order.pay_chain === null && chain === 'other' && currencyOf(order.pay_method) === defaultCurrency
  return isMoney ? null : chain
}

/** Returns a refund address of the coin paid with, in the canonical form of its chain. */
export function checkedRefundAddress(order: OrderRow, given: string): string {
  const chain = refundChainOf(order)
  if (given === '') {
    if (chain !== null) throw refusedField('refundAddress', 'required')
    return ''
  }
  // Rejects our own receiving address, which was probably copied from the payment page.
  if (given.toLowerCase() === order.receiving_address.toLowerCase())
    throw refusedField('refundAddress', 'invalid')
  if (chain !== 'bitcoin' && chain !== 'ethereum') return given
  const checked = checkAddress(chain, given, brand.chain)
  if ('problem' in checked) throw refusedField('refundAddress', checked.problem)
  return checked.address
}
