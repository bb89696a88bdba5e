import { DAY, MINUTE } from '#contract/platform/durations.ts'
import type { Database } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/handler.ts'
import { hashSecret, type Keys } from '../../platform/keys.ts'
import { blinded, requireWithinLimits, waitOf, type Limit } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { isKnownDevice } from './known-device.queries.ts'
import { countTryOf, type Try } from './try-sign-in.queries.ts'

const window = 15 * MINUTE

type Counting = { db: Database; keys: Keys; request: RequestFacts }

/**
 * A counted attempt and how it is evaluated. `limits` are for refunds. If the account's limit over all clients
 * is used up, `barred` is the number of seconds to wait, and `isSpared` says whether the correct password still
 * signs in.
 */
export type CountedTry = {
  limits: Limit[]
  isKnown: boolean
  barred: number | undefined
  isSpared: boolean
} & Pick<Try, 'member' | 'pendingHashes' | 'importedKinds' | 'hasFactor' | 'isTokenKnown'>

/**
 * Counts the attempt before it is verified; success refunds it. A browser that signed in as this member before
 * has a separate limit, which nobody else can use up, even at the same address. The limit over all clients also
 * spares addresses from which the member signed in; everyone else can get in by an email reset, which makes the
 * browser known.
 *
 * Only a correct password may reveal what is spared: a wrong one is counted, checked, and refused equally at
 * each address, or strangers would learn who has an account and where it is used.
 */
export async function countTry({ db, keys, request }: Counting, email: string): Promise<CountedTry> {
  const deviceHash = request.deviceToken ? hashSecret(request.deviceToken) : null
  const ofDevice = { key: `sign-in device ${deviceHash} ${email}`, max: 10, window }
  const [ofPair, ofClient] = limitsOfStranger(request, email)
  const ofAccount = { key: `sign-in ${email}`, max: 100, window: DAY }
  const { isKnown, counted, hasSignedInFrom, ...found } = await countTryOf(db, {
    email,
    deviceHash,
    clientHash: keys.blind(request.client),
    ofDevice: blinded(keys, ofDevice),
    ofOthers: [blinded(keys, ofPair), blinded(keys, ofClient), blinded(keys, ofAccount)],
  })
  const limits = isKnown ? [ofDevice] : [ofPair, ofClient, ofAccount]
  const retryAfterSeconds = waitOf(limits[counted.length - 1]!, counted.at(-1)!)
  const isBarred = counted.length === 3
  if (retryAfterSeconds !== undefined && !isBarred) throw new Refused('rate_limited', { retryAfterSeconds })
  return { ...found, limits, isKnown, barred: retryAfterSeconds, isSpared: isKnown || hasSignedInFrom }
}

const limitsOfStranger = ({ client }: RequestFacts, email: string): [Limit, Limit] => [
  { key: `sign-in ${email} ${client}`, max: 10, window },
  limitOfClient(client),
]

const limitOfClient = (client: string): Limit => ({ key: `sign-in ${client}`, max: 50, window })

/** Starting with a passkey names no member yet; here, too, a known browser has a separate limit. */
export async function countPasskeyBegin(context: Counting): Promise<void> {
  const key = `passkey ${(await keyOfKnownDevice(context)) ?? context.request.client}`
  await requireWithinLimits(context.db, context.keys, [{ key, max: 100, window }])
}

async function keyOfKnownDevice({ db, request: { deviceToken } }: Counting): Promise<string | undefined> {
  if (!deviceToken || !(await isKnownDevice(db, deviceToken))) return undefined
  return `device ${hashSecret(deviceToken)}`
}

/**
 * A passkey can't be guessed and identifies its member only when verified, so any known browser has a separate
 * limit here.
 */
export async function countPasskeyTry(context: Counting): Promise<Limit[]> {
  const device = await keyOfKnownDevice(context)
  const limits = device
    ? [{ key: `sign-in ${device}`, max: 50, window }]
    : [limitOfClient(context.request.client)]
  await requireWithinLimits(context.db, context.keys, limits)
  return limits
}
