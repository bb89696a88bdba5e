import type { Selectable } from 'kysely'
import type { StaffRight } from '#contract/platform/endpoint.ts'
import { levelOf, type Rights } from '#contract/people/level-of.ts'
import type { DB } from '../db/rows.ts'
import { Refused } from '../refused.ts'
import type { ActingToken } from './acting-token.ts'

/**
 * The columns of a member's row that the member and staff can see. If a new column is neither a field of the profile nor
 * listed here, reading sessions doesn't compile.
 */
export type MemberRecord = Omit<
  Selectable<DB['member']>,
  | 'password_hash'
  | 'address_proved_at'
  | 'activated_with_hash'
  | 'activated_at'
  | 'closed_at'
  | 'erased_at'
  | 'finance_lost_at'
  | 'default_merchant_id'
  | 'invitation_code'
  | 'language'
  | 'opens_console'
  | 'assignee_id'
>

/** The signed-in member who makes a call. */
export type Caller = {
  memberId: string
  sessionId: string
  rights: Rights
  /** The member's record as it was when the call was admitted, and the pending email address. */
  record: MemberRecord
  pendingEmail: string | undefined
  /** Whether the account has a second factor, and this session proved it. */
  hasSecondFactor: boolean
  /** Whether the account has a second factor, proved or not. */
  hasFactor: boolean
  /** The API token, if the call is made with one on the member's behalf. */
  token?: ActingToken
  /** Whether this call may act on records of others: the level suffices, and the second factor if required. */
  isStaff: boolean
  /** Throws unless the call may act on records of others. */
  requireStaff(): void
  /**
   * Throws unless the member proved their identity within the last ten minutes, with a factor if the account
   * has one. Required for rights, account security, bulk personal data, and payment destinations.
   */
  requireStepUp(): void
  /** Like `requireStepUp`, for accounts with a factor only. For calls that ask for the password themselves. */
  requireFactorProof(): void
  /** Throws if the call is made with an API token. */
  requirePerson(): void
}

/** The member data stored in the session of an access token. */
export type KnownSession = {
  memberId: string
  sessionId: string
  rights: Rights
  record: MemberRecord
  pendingEmail: string | undefined
  hasSecondFactor: boolean
  hasFactor: boolean
  hasFreshProof: boolean
  token?: ActingToken
}

export function makeCaller(
  { hasFreshProof, ...known }: KnownSession,
  needs: { level: StaffRight; atLeast: number } | undefined,
  isFactorRequired: boolean,
): Caller {
  const hasLevel = needs !== undefined && levelOf(known.rights, needs.level) >= needs.atLeast
  const lacksFactor = isFactorRequired && !known.hasSecondFactor
  const requirePerson = () => {
    if (known.token) throw new Refused('person_required')
  }
  return {
    ...known,
    isStaff: hasLevel && !lacksFactor,
    requireStaff() {
      if (!hasLevel) throw new Refused('forbidden')
      if (lacksFactor) throw new Refused('second_factor_needed')
    },
    requirePerson,
    requireStepUp() {
      requirePerson()
      if (!hasFreshProof) throw new Refused('step_up_required')
    },
    requireFactorProof() {
      requirePerson()
      if (known.hasFactor && !hasFreshProof) throw new Refused('step_up_required')
    },
  }
}
