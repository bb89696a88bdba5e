import { DAY, MINUTE } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import type { RequestFacts } from '../http/handler.ts'
import { noteSignIn } from '../members/sign-in.queries.ts'
import { deviceLife, rememberDevice } from './known-device.queries.ts'
import { consume, requireWithinLimits } from '../rate-limits/rate-limit.ts'
import { stopLostFactorOf } from './lost-factors/end-lost-factor.ts'
import { startSession } from './start-session.ts'
import { notifyMember, type MailContext } from './notify-member.ts'
import { deviceOf } from '../http/device.ts'

/** The end of every sign-in: starts the session, and sends a mail if device or client are new to the member. */
export async function welcome(
  db: Tx,
  context: MailContext & { request: RequestFacts },
  memberId: string,
  hasProvedFactor: boolean,
): ReturnType<typeof startSession> {
  const { keys, request } = context
  // Of the client too: whoever else has the password keeps nobody out.
  const limit = { key: `signed-in ${memberId} ${request.client}`, max: 600, window: 15 * MINUTE }
  await requireWithinLimits(db, keys, [limit])
  const device = deviceOf(request.userAgent)
  const clientHash = keys.blind(request.client)
  const deviceHash = keys.blind(`device ${device} ${request.client}`)
  const isNew = await noteSignIn(db, memberId, {
    clientHash,
    deviceHash,
    device,
    language: request.language,
    hasProvedFactor,
  })
  // Ten say it: whoever signs in from ever other places fills no mailbox.
  const mails = { key: `new sign-in mails ${memberId}`, max: 10, window: DAY }
  if (isNew && (await consume(db, keys, [mails])) === undefined)
    await notifyMember(db, context, memberId, 'new-sign-in', {
      device: device || '–',
      place: request.client,
      time: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    })
  if (hasProvedFactor) await stopLostFactorOf(db, context, memberId)
  const deviceToken = await rememberDevice(db, memberId, request.deviceToken, hasProvedFactor)
  const started = await startSession(db, context.config, memberId, request, hasProvedFactor)
  return {
    ...started,
    setCookies: (answer) => {
      started.setCookies(answer)
      answer.setDeviceCookie(deviceToken, deviceLife)
    },
  }
}
