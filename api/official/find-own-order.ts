import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/durations.ts'
import type { Handler } from '../http/handler.ts'
import { shownReference } from '../orders/present-order.ts'
import { listReceivingAddresses } from '../orders/order.queries.ts'
import { requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { classifyPasted } from './classify/classify-pasted.ts'
import { indexChannels, type Ours } from './classify/official-channel.ts'

const perMemberMax = 60
const window = 10 * MINUTE

/**
 * Finds the caller's own order by its address. Only their orders are read, so that the response depends on no one
 * else's.
 */
export const findOwnOrderByAddress: Handler<typeof api.findOwnOrderByAddress> = async ({ body }, context) => {
  const { db, keys, caller } = context
  await requireWithinLimits(db, keys, [
    { key: `own order by address ${caller.memberId}`, max: perMemberMax, window },
  ])
  const orders = await listReceivingAddresses(db, caller.memberId)
  const entries = orders.map(({ id, receiving_address: value, pay_chain: chain }): Ours => {
    const ours: Ours = { kind: 'coin', role: 'receiving', name: id, value }
    return chain === null ? ours : { ...ours, chain }
  })
  const { official, signs } = classifyPasted(body.text, indexChannels(entries, { name: '', ticker: '' }))
  const alike = signs.find(({ sign }) => sign === 'address_letters' || sign === 'address_poisoning')
  const found = orders.find(({ id }) => id === (official?.name ?? alike?.ours))
  if (!found) return { order: null }
  return {
    order: {
      orderId: found.id,
      reference: shownReference(found.reference),
      isOpen: found.status === 'pending',
      isAlike: !official,
    },
  }
}
