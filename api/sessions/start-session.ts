import type { SignedIn } from '#contract/sessions.ts'
import { hasAnyStaffRight } from '#contract/level-of.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../db/database.ts'
import { deviceOf } from '../http/device.ts'
import type { Answer, RequestFacts } from '../http/handler.ts'
import { hashSecret } from '../keys.ts'
import { findKycStateOfMember } from '../kyc/kyc.queries.ts'
import { getMemberById } from '../members/member.queries.ts'
import { findCookieSession } from './refresh/refresh-token.queries.ts'
import {
  deleteSessionOfMember,
  endOldestSessions,
  insertAccessToken,
  insertSession,
} from './session.queries.ts'
import {
  accessTokenLife,
  memberSession,
  newAccessToken,
  newRefreshToken,
  newXsrfToken,
  staffSession,
} from './tokens.ts'
import { hasAnyFactor } from './factors.ts'
import { findWaitingRights } from './waiting-rights.ts'
import { countingRightsOf, rightsOf } from '../members/rights.ts'

/**
 * Starts a session for the member and ends the browser's earlier one (prevents session fixation). `hasProvedFactor` says
 * whether the sign-in included a second factor.
 */
export async function startSession(
  db: Tx,
  config: Config,
  memberId: string,
  request: RequestFacts,
  hasProvedFactor = false,
): Promise<{ signedIn: SignedIn; setCookies: (answer: Answer) => void }> {
  const member = await getMemberById(db, memberId)
  if (request.refreshToken) await endCarriedSession(db, hashSecret(request.refreshToken))
  const refreshToken = newRefreshToken()
  const xsrfToken = newXsrfToken()
  const { life, idle } = hasAnyStaffRight(rightsOf(member)) ? staffSession : memberSession
  const sessionId = await insertSession(db, {
    memberId,
    refreshHash: hashSecret(refreshToken),
    xsrfHash: hashSecret(xsrfToken),
    device: deviceOf(request.userAgent),
    place: request.client,
    life,
    idle,
    hasProvedFactor,
  })
  await endOldestSessions(db, memberId, sessionId)
  return {
    signedIn: await issueAccessToken(db, config, sessionId, memberId),
    setCookies: (answer) => answer.setSessionCookies(refreshToken, xsrfToken, life),
  }
}

async function endCarriedSession(db: Tx, refreshHash: string): Promise<void> {
  const carried = await findCookieSession(db, refreshHash)
  if (carried) await deleteSessionOfMember(db, carried.memberId, carried.sessionId)
}

/** The response of sign-in and of a restored session: a new access token and the member. */
export async function issueAccessToken(
  db: Tx,
  config: Config,
  sessionId: string,
  memberId: string,
): Promise<SignedIn> {
  const token = newAccessToken()
  const expiresAt = await insertAccessToken(db, sessionId, hashSecret(token), accessTokenLife)
  const member = await getMemberById(db, memberId)
  const rights = countingRightsOf(member)
  const hasSecondFactor = await hasAnyFactor(db, memberId)
  const waitingRights = await findWaitingRights(db, config, member)
  return {
    token,
    expiresAt: expiresAt.toISOString(),
    id: member.id,
    email: member.email,
    displayName: member.display_name,
    ...rights,
    ...(waitingRights ? { waitingRights } : {}),
    defaultMerchant: member.default_merchant_id === null ? null : { _id: member.default_merchant_id },
    kyc: await findKycStateOfMember(db, memberId),
    hasSecondFactor,
    needsSecondFactor: config.isStaffSecondFactorRequired && hasAnyStaffRight(rights) && !hasSecondFactor,
  }
}
