import { DAY } from '#contract/platform/durations.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { deviceOf } from '../../platform/http/device.ts'
import type { RequestFacts } from '../../platform/http/handler.ts'
import { hashSecret } from '../../platform/keys.ts'
import { consume, countOne, refund, type Limit } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { kindsOfFactor } from './factors.ts'
import { hasProvedFactorOn } from './known-device.queries.ts'
import { notifyMember, type MailContext } from './notify-member.ts'
import { isTotpCode } from './second-factor.ts'

const wrongMax = 20
const toldAfter = 5

type Judging = MailContext & { db: Database; request: RequestFacts }

/**
 * Counts a code against the account, across all clients and devices, before `judge` checks it. `judge` resolves
 * to undefined or refuses with `code_invalid` if the code is wrong; a correct one is refunded.
 *
 * Only someone with the password or a session gets here, and can't lock out the owner: recovery codes and
 * passkeys, which can't be guessed, are checked regardless of the count, and a browser that gave a factor
 * before has a separate count.
 */
export async function checkCode<T>(
  context: Judging,
  memberId: string,
  code: string | undefined,
  judge: () => Promise<T>,
): Promise<T> {
  if (code === undefined) return judge()
  const { db, keys } = context
  const limits = await limitsOf(context, memberId)
  let wait: number | undefined
  let wrongOfAccount = 0
  for (const limit of limits) {
    const counted = await countOne(db, keys, limit)
    wait = counted.wait
    wrongOfAccount ||= counted.count
  }
  if (wait !== undefined && isTotpCode(code)) throw await refusal(db, memberId, wait)
  const noteWrong = () => (wrongOfAccount < toldAfter ? undefined : notifyOnce(context, memberId))
  try {
    const judged = await judge()
    await (judged === undefined ? noteWrong() : refund(db, keys, limits))
    return judged
  } catch (error) {
    if (error instanceof Refused && error.code === 'code_invalid') await noteWrong()
    throw error
  }
}

/** Also lists the factors that still work, which a client's limit does not. */
async function refusal(db: Database, memberId: string, retryAfterSeconds: number): Promise<Refused> {
  const kinds = (await kindsOfFactor(db, memberId)).filter((kind) => kind !== 'totp')
  return new Refused('rate_limited', { retryAfterSeconds, secondFactor: { kinds } })
}

/** The account's limit and, for a browser that proved a factor before, its own: the last one decides. */
async function limitsOf({ db, request: { deviceToken } }: Judging, memberId: string): Promise<Limit[]> {
  const account = { key: `wrong-factor ${memberId}`, max: wrongMax, window: DAY }
  if (!deviceToken || !(await hasProvedFactorOn(db, memberId, deviceToken))) return [account]
  return [account, { ...account, key: `wrong-factor ${memberId} ${hashSecret(deviceToken)}` }]
}

/** One email a day: someone who enters wrong codes has passed the password. */
function notifyOnce({ db, keys, config, request }: Judging, memberId: string): Promise<void> {
  return transaction(db, async (db) => {
    const told = { key: `wrong-factor told ${memberId}`, max: 1, window: DAY }
    if ((await consume(db, keys, [told])) !== undefined) return
    await notifyMember(db, { keys, config }, memberId, 'wrong-factors', {
      count: String(toldAfter),
      max: String(wrongMax),
      device: deviceOf(request.userAgent) || '–',
      place: request.client,
      time: new Date(),
    })
  })
}
