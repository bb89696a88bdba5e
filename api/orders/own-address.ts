import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { chainOf } from '../chains/chain-of.ts'
import { reserveAddress } from '../chains/reserve-address.ts'
import { setReceivingAddress, type OrderRow } from './order.queries.ts'

/**
 * Assigns the order its own address if its coin has an extended public key; otherwise the order keeps the shared
 * address of the sale. Only an order that awaits payment and would show an address gets one.
 */
export async function withOwnAddress(
  db: Tx,
  config: Pick<Config, 'chains'>,
  order: OrderRow,
): Promise<OrderRow> {
  if (order.status !== 'pending' || order.receiving_address === '') return order
  const chain = chainOf(config, order.pay_method, order.pay_chain)
  const address = chain ? await reserveAddress(db, chain, order.id) : null
  return address === null ? order : setReceivingAddress(db, order.id, address)
}
