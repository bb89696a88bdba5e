import type { SignedIn } from '#contract/people/sessions.ts'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { deviceOf } from '../../platform/http/device.ts'
import type { Answer, RequestFacts } from '../../platform/http/handler.ts'
import { hashSecret } from '../../platform/keys.ts'
import { countingRightsOf, waitingRightsOf } from '../members/rights.ts'
import { insertSessionOf, type NewSession } from './enter.queries.ts'
import { insertAccessTokenOf, type EnteredMember } from './session.queries.ts'
import { memberSession, newAccessToken, newRefreshToken, newXsrfToken, staffSession } from './tokens.ts'

export type Started = { signedIn: SignedIn; setCookies: (answer: Answer) => void }

/**
 * A new session with its tokens and the sign-in's answer. It ends the browser's earlier one (prevents session
 * fixation). `hasProvedFactor` says whether the sign-in included a second factor.
 */
export function newSession(
  config: Config,
  request: RequestFacts,
  hasProvedFactor: boolean,
): { session: NewSession; started: (member: EnteredMember) => Started } {
  const [token, refreshToken, xsrfToken] = [newAccessToken(), newRefreshToken(), newXsrfToken()]
  return {
    session: {
      tokenHash: hashSecret(token),
      refreshHash: hashSecret(refreshToken),
      xsrfHash: hashSecret(xsrfToken),
      carriedHash: request.refreshToken ? hashSecret(request.refreshToken) : null,
      device: deviceOf(request.userAgent),
      place: request.client,
      hasProvedFactor,
    },
    started: (member) => ({
      signedIn: presentSignedIn(config, token, member),
      setCookies: (answer) =>
        answer.setSessionCookies(
          refreshToken,
          xsrfToken,
          (member.is_staff ? staffSession : memberSession).life,
        ),
    }),
  }
}

/** Starts a session for the member. */
export async function startSession(
  db: Tx,
  config: Config,
  memberId: string,
  request: RequestFacts,
): Promise<Started> {
  const { session, started } = newSession(config, request, false)
  return started(await insertSessionOf(db, memberId, session))
}

/** The answer of a restored session: a new access token and the member. */
export async function issueAccessToken(db: Tx, config: Config, sessionId: string): Promise<SignedIn> {
  const token = newAccessToken()
  return presentSignedIn(config, token, await insertAccessTokenOf(db, sessionId, hashSecret(token)))
}

function presentSignedIn(
  { isStaffSecondFactorRequired }: Config,
  token: string,
  member: EnteredMember,
): SignedIn {
  const rights = countingRightsOf(member)
  const hasSecondFactor = member.has_factor
  const waitingRights = waitingRightsOf(member, isStaffSecondFactorRequired && !hasSecondFactor)
  return {
    token,
    expiresAt: member.expires_at.toISOString(),
    id: member.id,
    email: member.email,
    displayName: member.display_name,
    ...rights,
    ...(waitingRights ? { waitingRights } : {}),
    defaultMerchant: member.default_merchant_id === null ? null : { _id: member.default_merchant_id },
    kyc: member.kyc_state ?? 'none',
    hasSecondFactor,
    needsSecondFactor: isStaffSecondFactorRequired && hasAnyStaffRight(rights) && !hasSecondFactor,
    opensConsole: member.opens_console && hasAnyStaffRight(rights),
  }
}
