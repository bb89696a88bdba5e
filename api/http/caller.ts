import type { StaffRight } from '#contract/endpoint.ts'
import { levelOf, type Rights } from '#contract/level-of.ts'
import { Refused } from '../refused.ts'

/** The signed-in member who makes a call. */
export type Caller = {
  memberId: string
  sessionId: string
  rights: Rights
  /** Whether the account has a second factor that this session proved. */
  hasSecondFactor: boolean
  /** Whether this call may act on records of others: the level suffices, and the second factor where required. */
  isStaff: boolean
  /** Throws unless the call may act on records of others. */
  requireStaff(): void
  /**
   * Throws unless the member proved within ten minutes who they are, by a factor where the account has one. For rights,
   * account security, personal data of others in bulk, and where money goes.
   */
  requireStepUp(): void
  /** As `requireStepUp`, in accounts with a factor only. For calls that ask for the password themselves. */
  requireFactorProof(): void
}

/** What the session of an access token says about its member. */
export type KnownSession = {
  memberId: string
  sessionId: string
  rights: Rights
  hasSecondFactor: boolean
  /** Whether the account has a factor, proved or not. */
  hasFactor: boolean
  hasFreshProof: boolean
}

export function makeCaller(
  { hasFactor, hasFreshProof, ...known }: KnownSession,
  needs: { level: StaffRight; atLeast: number } | undefined,
  isFactorRequired: boolean,
): Caller {
  const hasLevel = needs !== undefined && levelOf(known.rights, needs.level) >= needs.atLeast
  const lacksFactor = isFactorRequired && !known.hasSecondFactor
  return {
    ...known,
    isStaff: hasLevel && !lacksFactor,
    requireStaff() {
      if (!hasLevel) throw new Refused('forbidden')
      if (lacksFactor) throw new Refused('second_factor_needed')
    },
    requireStepUp() {
      if (!hasFreshProof) throw new Refused('step_up_required')
    },
    requireFactorProof() {
      if (hasFactor && !hasFreshProof) throw new Refused('step_up_required')
    },
  }
}
