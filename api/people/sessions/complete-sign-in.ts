import { DAY, MINUTE } from '#contract/platform/durations.ts'
import type { Tx } from '../../platform/db/database.ts'
import { deviceOf } from '../../platform/http/device.ts'
import type { RequestFacts } from '../../platform/http/handler.ts'
import { randomSecret } from '../../platform/keys.ts'
import { blinded, consume, waitOf, type Limit } from '../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../platform/refused.ts'
import { enter } from './enter.queries.ts'
import { deviceLife, isKnownDevice } from './known-device.queries.ts'
import { stopLostFactorOf } from './lost-factors/end-lost-factor.ts'
import { notifyMember, type MailContext } from './notify-member.ts'
import type { EnteredMember } from './session.queries.ts'
import { newSession, type Started } from './start-session.ts'

type Welcoming = MailContext & { request: RequestFacts }

/**
 * The end of every sign-in: starts the session, and sends an email if device or client are new to the member.
 */
export async function welcome(
  db: Tx,
  context: Welcoming,
  memberId: string,
  hasProvedFactor: boolean,
): Promise<Started> {
  const { keys, request } = context
  const isTokenKnown = await isKnownDevice(db, request.deviceToken)
  const entered = await begin(db, context, memberId, { hasProvedFactor, isTokenKnown })
  if (!entered) throw new Error('a member who is held is gone')
  // Ten emails are enough: signing in from ever new places must not fill the mailbox.
  const mails = { key: `new sign-in mails ${memberId}`, max: 10, window: DAY }
  if (entered.isNew && (await consume(db, keys, [mails])) === undefined)
    await notifyMember(db, context, memberId, 'new-sign-in', {
      device: deviceOf(request.userAgent) || '–',
      place: request.client,
      time: new Date(),
    })
  if (hasProvedFactor) await stopLostFactorOf(db, context, memberId)
  return entered.started
}

/**
 * The same in one statement, if only the correct password is required: the account has no factor, the member
 * signed in there before, and nothing changed while the hash was computed. Refunds the attempts. Otherwise
 * `undefined`, and nothing is written.
 */
export async function completeSignInAtOnce(
  db: Tx,
  context: Welcoming,
  member: { id: string; passwordHash: string; isTokenKnown: boolean },
  tries: readonly Limit[],
): Promise<Started | undefined> {
  const atOnce = {
    passwordHash: member.passwordHash,
    tryHashes: tries.map(({ key }) => context.keys.blind(key)),
  }
  const how = { hasProvedFactor: false, isTokenKnown: member.isTokenKnown, atOnce }
  return (await begin(db, context, member.id, how))?.started
}

type How = {
  hasProvedFactor: boolean
  isTokenKnown: boolean
  atOnce?: { passwordHash: string; tryHashes: readonly string[] }
}

async function begin(
  db: Tx,
  { keys, config, request }: Welcoming,
  memberId: string,
  { hasProvedFactor, isTokenKnown, atOnce }: How,
): Promise<{ isNew: boolean; started: Started } | undefined> {
  const { session, started } = newSession(config, request, hasProvedFactor)
  // Its own token if it is known for another member, so that a family can share it.
  const deviceToken = isTokenKnown && request.deviceToken ? request.deviceToken : randomSecret(32)
  // Includes the client, so that someone else with the password blocks nobody.
  const limit = { key: `signed-in ${memberId} ${request.client}`, max: 600, window: 15 * MINUTE }
  const entered = await enter(db, memberId, {
    session,
    limit: blinded(keys, limit),
    clientHash: keys.blind(request.client),
    deviceHash: keys.blind(`device ${session.device} ${request.client}`),
    deviceToken,
    language: request.language,
    ...(atOnce && { atOnce }),
  })
  if (!entered) return undefined
  const retryAfterSeconds = waitOf(limit, entered)
  if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
  const { signedIn, setCookies } = started(entered as EnteredMember)
  return {
    isNew: entered.is_new,
    started: {
      signedIn,
      setCookies: (answer) => {
        setCookies(answer)
        answer.setDeviceCookie(deviceToken, deviceLife)
      },
    },
  }
}
