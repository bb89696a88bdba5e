import type { Selectable } from 'kysely'
import type { StaffRight } from '#contract/endpoint.ts'
import { levelOf, type Rights } from '#contract/level-of.ts'
import type { DB } from '../db/rows.ts'
import { Refused } from '../refused.ts'
import type { ActingToken } from './acting-token.ts'

/** Of a member's row, what they and staff are shown of it. */
export type MemberRecord = Pick<
  Selectable<DB['member']>,
  | 'id'
  | 'email'
  | 'created_at'
  | 'updated_at'
  | 'password_length_ok_for_staff'
  | 'display_name'
  | 'first_name'
  | 'mid_name'
  | 'last_name'
  | 'home_phone'
  | 'work_phone'
  | 'mobile'
  | 'work_email'
  | 'personal_member'
  | 'active'
  | 'is_write_access_admin'
  | 'manage_news'
  | 'manage_employee'
  | 'manage_finance'
  | 'manage_coins'
>

/** The signed-in member who makes a call. */
export type Caller = {
  memberId: string
  sessionId: string
  rights: Rights
  /** Their own record as it was when the call was admitted, and the new address that waits for its code. */
  record: MemberRecord
  pendingEmail: string | undefined
  /** Whether the account has a second factor that this session proved. */
  hasSecondFactor: boolean
  /** Whether the account has a factor, proved or not. */
  hasFactor: boolean
  /** By which the call is made, where a machine makes it in the member's name. */
  token?: ActingToken
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
  /** Throws where a machine makes the call. */
  requirePerson(): void
}

/** What the session of an access token says about its member. */
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
