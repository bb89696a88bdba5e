import type { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Context, Handler } from '../../../platform/http/handler.ts'
import { hashSecret } from '../../../platform/keys.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../../platform/refused.ts'
import { notifyMember } from '../notify-member.ts'
import { deleteSessionOfMember } from '../session.queries.ts'
import { issueAccessToken } from '../start-session.ts'
import { newRefreshToken, refreshesOfDayMax, refreshGrace } from '../tokens.ts'
import { lockSession, replaceRefreshToken, waitToReplace, wasJustSpent } from './refresh-token.queries.ts'

type Refreshing = Context<{ who: 'session' }>

/**
 * Issues a new access token, and a new refresh token in place of the one used. Reuse of a replaced token means
 * that it was copied, and ends its session, except where honest browsers do it: within a minute, from parallel
 * windows, and while the replacing token was never used, because its answer may have been lost.
 */
export const restoreSession: Handler<typeof api.restoreSession> = async (_, context) => {
  const { db, config, caller, answer } = context
  // Checked before it is counted: no limit may keep a copy from being detected. Limits are per session, so that
  // a thief can't block the member's other sessions.
  const refreshed = await transaction(db, async (db) => {
    const session = await lockSession(db, caller.sessionId)
    if (!session) throw new Refused('session_expired')
    const used = caller.refreshHash
    const newestHash = session.refresh_hash
    const isNewest = used === newestHash
    // The browser already has the newer token, or gets it with an answer in flight.
    if (!isNewest && (await wasJustSpent(db, used, refreshGrace))) return 'just-spent'
    if (!isNewest && used !== session.previous_refresh_hash) {
      await endCopiedSession(db, context)
      return undefined
    }
    const retryAfterSeconds = await waitToReplace(db, caller.sessionId)
    if (retryAfterSeconds !== undefined) throw new Refused('rate_limited', { retryAfterSeconds })
    const token = newRefreshToken()
    await replaceRefreshToken(db, caller.sessionId, {
      newestHash,
      usedHash: used,
      newHash: hashSecret(token),
    })
    return {
      token,
      life: session.expires_at.getTime() - Date.now(),
      signedIn: await issueAccessToken(db, config, caller.sessionId),
    }
  })
  if (!refreshed) {
    answer.clearSessionCookies()
    throw new Refused('session_expired')
  }
  if (refreshed === 'just-spent') return issueBeside(context)
  answer.setRefreshCookie(refreshed.token, refreshed.life)
  return refreshed.signedIn
}

/** For a window next to the one with the newer token. Nothing is replaced, so it has a separate limit. */
async function issueBeside({ db, keys, config, caller }: Refreshing) {
  await requireWithinLimits(db, keys, [
    { key: `refresh beside ${caller.sessionId}`, max: refreshesOfDayMax, window: DAY },
  ])
  return transaction(db, async (db) => {
    if (!(await lockSession(db, caller.sessionId))) throw new Refused('session_expired')
    return issueAccessToken(db, config, caller.sessionId)
  })
}

/** Nobody can tell which of the two browsers is the member's, so both must sign in again. */
async function endCopiedSession(db: Tx, context: Refreshing): Promise<void> {
  const { memberId, sessionId } = context.caller
  await deleteSessionOfMember(db, memberId, sessionId)
  await notifyMember(db, context, memberId, 'session-copied')
  await recordAudit(db, {
    actorId: null,
    action: 'refresh-token-reused',
    subjectKind: 'member',
    subjectId: memberId,
  })
}
