import { shownReference } from '../../platform/text/order-reference.ts'
import type { api } from '#contract/api.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { listReceivingAddresses } from '../../money/orders/order.queries.ts'
import { requireWithinLimits } from '../../platform/rate-limits/rate-limit.ts'
import { answerOf, classifyPasted } from './classify/classify-pasted.ts'
import { indexChannels, type Ours } from './classify/official-channel.ts'
import { findByKeys } from './known-entry.queries.ts'
import { readKnown } from './list-official-channels.ts'

/** Per client for all checks, and per member for their own orders. */
const limit = { max: 60, window: 10 * MINUTE }

/** Checks a pasted text. It is stored nowhere; only the client's requests are counted. */
export const checkOfficial: Handler<typeof api.checkOfficial> = async ({ body }, context) => {
  const { db, keys, request } = context
  await requireWithinLimits(db, keys, [{ key: `official or not ${request.client}`, ...limit }])
  const judged = classifyPasted(body.text, await readKnown(db, context))
  const rows = (await findByKeys(db, judged.keys)).filter(({ standing }) => standing === 'false')
  // The keys are sorted from most to least specific.
  const [known] = rows.toSorted((one, other) => judged.keys.indexOf(one.key) - judged.keys.indexOf(other.key))
  return answerOf(
    judged,
    known ? { value: known.value, note: known.note, since: known.added_at.toISOString() } : null,
  )
}

/**
 * Finds the caller's own order by its address. Only their orders are read, so that the response depends on no one
 * else's.
 */
export const findOwnOrderByAddress: Handler<typeof api.findOwnOrderByAddress> = async ({ body }, context) => {
  const { db, keys, caller } = context
  await requireWithinLimits(db, keys, [{ key: `own order by address ${caller.memberId}`, ...limit }])
  const orders = await listReceivingAddresses(db, caller.memberId)
  const entries = orders.map(({ id, receiving_address: value, pay_chain: chain }): Ours => ({
    kind: 'coin',
    role: 'receiving',
    name: id,
    value,
    ...(chain !== null && { chain }),
  }))
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
