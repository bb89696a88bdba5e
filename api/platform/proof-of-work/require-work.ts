import type { EndpointName } from '#contract/api.ts'
import { workWindow } from '#contract/platform/proof-of-work.ts'
import { retryUntilDone, type Database } from '../db/database.ts'
import type { RequestFacts } from '../http/handler.ts'
import { blinded, countOne, type Limit } from '../rate-limits/rate-limit.ts'
import { countUp, findCount } from '../rate-limits/rate-limit.queries.ts'
import { Refused } from '../refused.ts'
import type { Services } from '../services.ts'
import { makeChallenge, readSolved } from './challenge.ts'
import { consumeWork } from './used-challenge.queries.ts'
import { widerNetworkOf } from '../network-list.ts'
import { makeSignal } from '../signal.ts'

/** How many networks of one provider's customer may each use up their own requests without a proof. */
const networksAtOnce = 4

/**
 * Rejects the request with a challenge once its client has made more than `after` requests in the window, unless it
 * contains an unused solution. Challenges are counted when issued, not when solved, so each one of a hoard costs more
 * than the previous. The limits of the endpoint apply after this, so clients without a solution use up nothing of them.
 */
export async function requireWork(
  { config, db, keys }: Services,
  { call, after }: { call: EndpointName; after: number },
  { client, proofOfWork }: RequestFacts,
): Promise<void> {
  if (!config.asksProofOfWork) return
  if (proofOfWork !== undefined) {
    const solved = readSolved(keys, { call, client }, proofOfWork, Date.now())
    const isTaken = solved !== undefined && (await retryUntilDone(() => consumeWork(db, solved)))
    workOutcomes.publish({ db, call, outcome: isTaken ? 'solved' : 'refused' })
    if (isTaken) return
  }
  const count = (limit: Limit) => retryUntilDone(() => countOne(db, keys, limit))
  const isFirst = async (key: string) => (await count({ key, max: 1, window: workWindow })).count === 1
  const wider = widerNetworkOf(client)
  const limits: Limit[] = [
    { key: `work ${call} ${client}`, max: after, window: workWindow },
    ...(wider ? [{ key: `work ${call} ${wider}`, max: networksAtOnce * after, window: workWindow }] : []),
  ]
  const counted = await retryUntilDone(() =>
    countUp(
      db,
      limits.map((limit) => blinded(keys, limit)),
    ),
  )
  const last = counted.at(-1)!
  const over = last.count - limits[counted.length - 1]!.max
  if (over <= 0) return
  const ofSite = { key: `work ${call}`, max: 0, window: workWindow }
  // Each client counts once, and all networks of one customer together, so that a single client can't raise the cost
  // for others.
  if (over === 1 && (await isFirst(`work over ${call} ${wider ?? client}`))) await count(ofSite)
  const clients = await findCount(db, blinded(keys, ofSite).keyHash)
  workOutcomes.publish({ db, call, outcome: 'asked' })
  throw new Refused('work_required', {
    retryAfterSeconds: Math.max(1, last.wait),
    work: makeChallenge(keys, { call, client }, triesAsked({ over, clients }), Date.now()),
  })
}

/**
 * Average number of hashes. A slow phone computes about 70,000 per second, so it needs half a second at first and six
 * seconds at most. One in a hundred takes 1.7 times as long.
 */
export const triesAtFirst = 40_000
export const triesMax = 400_000

/** Requests beyond the soft limit that add the initial cost once more. */
const callsStep = 5
/** Clients beyond their limits at the same time that add the initial cost once more, for each of them. */
const clientsStep = 50

/**
 * Returns the number of tries. `over`: the client's requests beyond its soft limit, including this one; `clients`: the
 * number of clients beyond theirs.
 */
export const triesAsked = ({ over, clients }: { over: number; clients: number }): number =>
  Math.min(
    triesMax,
    Math.round(triesAtFirst * (1 + Math.max(0, over - 1) / callsStep) * (1 + clients / clientsStep)),
  )

/** Outcomes for the metrics. `refused`: the solution was wrong or had expired. */
type WorkOutcome = { db: Database; call: EndpointName; outcome: 'asked' | 'solved' | 'refused' }
export const workOutcomes = makeSignal<WorkOutcome>()
