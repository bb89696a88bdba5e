import { aloneFactor } from '#contract/people/four-eyes.ts'
import { parseDecimal, writeDecimal } from '#contract/platform/decimal.ts'
import { checkAddress } from '#contract/platform/chain-address.ts'
import { payoutItemsMax, type PayoutObstacle } from '#contract/money/payouts.ts'
import brand from '#content/brand.json' with { type: 'json' }
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { listOurAddresses } from '../../people/settings/our-address.queries.ts'
import { readOrderPolicy } from '../../people/four-eyes/read-policy.ts'
import type { Candidate } from './candidate.queries.ts'
import { sumFrozenAlone } from './payout.queries.ts'
import { isRepresentable, isWritable, takesAddressOnce } from './run-files.rules.ts'

export type Payable = Candidate & { payTo: string }
export type LeftOut = { deliveryId: string; reference: string; obstacle: PayoutObstacle }

type Planning = { config: Config; callerId: string }

/** Sorts candidates into those that can be frozen now, and those that can't. */
export async function planRun(
  db: Tx,
  candidates: readonly Candidate[],
  { config, callerId }: Planning,
): Promise<{ payable: Payable[]; leftOut: LeftOut[] }> {
  const ours = await listOurAddresses(db, candidates.map(({ address }) => address).filter(Boolean))
  const payable: Payable[] = []
  const leftOut: LeftOut[] = []
  const used = new Set<string>()
  for (const candidate of candidates) {
    const payTo = payableAddress(candidate.address, ours)
    const obstacle = obstacleOf(candidate, {
      config,
      callerId,
      payTo,
      used,
      isFull: payable.length >= payoutItemsMax,
    })
    if (obstacle) leftOut.push({ deliveryId: candidate.id, reference: candidate.reference, obstacle })
    else {
      payable.push({ ...candidate, payTo: payTo! })
      used.add(payTo!)
    }
  }
  return { payable, leftOut }
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
