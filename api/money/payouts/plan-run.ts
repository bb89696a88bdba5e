import { aloneFactor } from '#contract/people/four-eyes.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { checkAddress } from '#contract/platform/chain-address.ts'
import { payoutItemsMax, type PayoutObstacle, type UnpayableDelivery } from '#contract/money/payouts.ts'
import brand from '#content/brand.json' with { type: 'json' }
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { Refused } from '../../platform/refused.ts'
import { listOurAddresses } from '../../people/settings/our-address.queries.ts'
import { readOrderPolicy } from '../../people/four-eyes/read-policy.ts'
import { periodsOfOrders } from '../orders/withdrawals/promised-period.ts'
import { listCandidatesById, type Candidate } from './candidate.queries.ts'
import { sumFrozenAlone } from './payout.queries.ts'
import { isRepresentable, isWritable, takesAddressOnce } from './run-files.rules.ts'

export type Payable = Candidate & { payTo: string }

/** A due delivery whose withdrawal period is longer by the current settings than the member was promised. */
export type Lengthened = { deliveryId: string; orderId: string; until: Date }

type Planning = { config: Config; callerId: string }
type Plan = { payable: Payable[]; leftOut: UnpayableDelivery[]; lengthened: Lengthened[] }

const runningPeriods = async (db: Tx, config: Config, candidates: readonly Candidate[]) => {
  const orders = candidates.map(({ order_id: id, order_created_at: at }) => ({ id, created_at: at }))
  const periods = await periodsOfOrders(db, config, orders)
  const now = new Date()
  return new Map([...periods].flatMap(([id, { until }]) => (until > now ? [[id, until] as const] : [])))
}

const addressesOf = (candidates: readonly Candidate[]): string[] =>
  candidates.map(({ address }) => address).filter(Boolean)

/** Sorts candidates into those that can be frozen now, and those that can't. */
export async function planRun(
  db: Tx,
  candidates: readonly Candidate[],
  { config, callerId }: Planning,
): Promise<Plan> {
  const ours = await listOurAddresses(db, addressesOf(candidates))
  const periods = await runningPeriods(db, config, candidates)
  const plan: Plan = { payable: [], leftOut: [], lengthened: [] }
  const used = new Set<string>()
  for (const candidate of candidates) {
    const { id, order_id: orderId, reference, state, hold } = candidate
    const until = state === 'due' ? periods.get(orderId) : undefined
    const payTo = payableAddress(candidate.address, ours)
    const isFull = plan.payable.length >= payoutItemsMax
    const obstacle = until ? 'on_hold' : obstacleOf(candidate, { config, callerId, payTo, used, isFull })
    if (until) plan.lengthened.push({ deliveryId: id, orderId, until })
    if (obstacle) {
      const why = until ? 'withdrawal_period' : hold
      plan.leftOut.push({ deliveryId: id, reference, obstacle, hold: obstacle === 'on_hold' ? why : null })
    } else {
      plan.payable.push({ ...candidate, payTo: payTo! })
      used.add(payTo!)
    }
  }
  return plan
}

/** Returns the address in its canonical form, or undefined if nothing may be sent to it. */
function payableAddress(address: string, ours: readonly string[]): string | undefined {
  const checked = checkAddress('token', address, brand.chain)
  if ('problem' in checked || ours.includes(address) || !isWritable(checked.address)) return undefined
  return checked.address
}

type Facts = Planning & { payTo: string | undefined; used: ReadonlySet<string>; isFull: boolean }

function obstacleOf(
  { state, member_id, amount }: Candidate,
  { config: { token }, callerId, payTo, used, isFull }: Facts,
): PayoutObstacle | undefined {
  if (state !== 'due') return state
  if (member_id === callerId) return 'own'
  if (payTo === undefined) return 'address'
  if (!isRepresentable(amount, token.decimals)) return 'too_precise'
  if (takesAddressOnce(token.network) && used.has(payTo)) return 'same_address'
  return isFull ? 'too_many' : undefined
}

type Frozen = { delivery_id: string; address: string }

/** Lists the frozen deliveries that must not be paid any more, because something has changed since the freeze. */
export async function listUnpayable(
  db: Tx,
  config: Config,
  items: readonly Frozen[],
): Promise<UnpayableDelivery[]> {
  const candidates = await listCandidatesById(
    db,
    items.map((item) => item.delivery_id),
  )
  const ours = await listOurAddresses(db, addressesOf(candidates))
  const periods = await runningPeriods(db, config, candidates)
  const frozenTo = new Map(items.map((item) => [item.delivery_id, item.address]))
  return candidates.flatMap((candidate): UnpayableDelivery[] => {
    const { id: deliveryId, reference } = candidate
    const hold = candidate.hold ?? (periods.has(candidate.order_id) ? 'withdrawal_period' : null)
    if (hold) return [{ deliveryId, reference, obstacle: 'on_hold', hold }]
    const isSame = payableAddress(candidate.address, ours) === frozenTo.get(deliveryId)
    return isSame ? [] : [{ deliveryId, reference, obstacle: 'address', hold: null }]
  })
}

/** Names each delivery that can't be paid, with its place in the request or in the run. */
export const refusedDeliveries = (
  unpayable: readonly UnpayableDelivery[],
  paths: readonly string[],
): Refused =>
  new Refused('conflict', {
    fields: paths.map((path) => ({ path, code: 'not_payable' as const })),
    deliveries: unpayable,
  })

export const totalOf = (items: readonly { amount: string }[]): string =>
  writeDecimal(items.reduce((sum, { amount }) => sum + parseDecimal(amount), 0n))

/** Whether a run needs a second officer: because it is large, or because the officer froze much alone today. */
export async function runNeedsTwo(db: Tx, { config, callerId }: Planning, total: string): Promise<boolean> {
  const { twoPersonsFrom } = await readOrderPolicy(db, config)
  if (twoPersonsFrom === null) return false
  const threshold = parseDecimal(twoPersonsFrom)
  const sum = parseDecimal(total)
  return (
    sum >= threshold ||
    parseDecimal(await sumFrozenAlone(db, callerId)) + sum > BigInt(aloneFactor) * threshold
  )
}
