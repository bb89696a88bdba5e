import type { Tx } from '../../platform/db/database.ts'
import { findPayMethod } from '../sale/sale.queries.ts'
import type { Services } from '../../platform/services.ts'
import { auditOrder, insertOrderStep } from './order-history.queries.ts'
import { notifyOwner } from './notify-owner.ts'
import { renewDeadline } from './order-deadline.queries.ts'
import { updateOrderRow, type OrderRow, setReceivingAddress } from './order.queries.ts'
import type { Config } from '../../platform/config/config.ts'
import { chainOf, type ChainSetting } from '../../platform/config/read-chains.ts'
import { deriveAddress } from '../../platform/chain-keys/account-key.ts'
import { findAddressOfOrder, insertAddress, isPaidAt, reservePosition } from '../chains/address.queries.ts'

type Needed = Pick<Services, 'keys' | 'config'>

/**
 * Assigns a locked order the receiving address of its payment method, which was unknown when the order was placed. Its
 * payment period then starts.
 */
export async function assignReceivingAddress(db: Tx, services: Needed, order: OrderRow): Promise<void> {
  const method = await findPayMethod(db, order.pay_method)
  if (!method?.is_open) return
  const given = await updateOrderRow(db, order.id, {
    payChain: method.chain,
    receivingAddress: method.receiving_address,
    currency: order.currency ?? method.currency,
  })
  await withOwnAddress(db, services.config, given)
  await notifyPayable(db, services, await renewDeadline(db, order.id, services.config.orderPayTime), null)
  await auditOrder(db, null, 'order-updated', order.id, { fields: ['receivingAddress'] })
}

/**
 * Emails the member that the order can be paid now. The email never contains the address, which is shown only in the
 * account.
 */
export async function notifyPayable(
  db: Tx,
  services: Needed,
  order: OrderRow,
  by: string | null,
): Promise<void> {
  await insertOrderStep(db, order.id, { kind: 'payable', by })
  await notifyOwner(db, services, 'order-payable', { order })
}

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

/**
 * Reserves the order's own address on the chain, derived from the extended public key; null if no key is set. Each
 * index is assigned once, even to concurrent requests, and an order that returns to a coin gets the same address again.
 * The wallet may already have been used, for example by the sale, so addresses that anyone else was told to pay to are
 * skipped.
 */
async function reserveAddress(
  db: Tx,
  { coin, kind, network, account, firstIndex }: ChainSetting,
  orderId: string,
): Promise<string | null> {
  if (account === null) return null
  const known = await findAddressOfOrder(db, orderId, coin)
  if (known) return known.address
  for (;;) {
    const position = await reservePosition(db, { id: account.id, coin, firstIndex })
    const { address, target } = deriveAddress(account, position, kind, network)
    const row = { coin, target, address, orderId, accountId: account.id, position }
    if (!(await isPaidAt(db, address)) && (await insertAddress(db, row))) return address
  }
}
