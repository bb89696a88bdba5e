import { fullName } from '#contract/people/full-name.ts'
import type { ConsoleMember, ConsoleMemberDetail } from '#contract/people/console-members.ts'
import type { KycState } from '#contract/people/kyc.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { findRefusalOf } from '../../../platform/mail/bounces/mailbox-refusal.queries.ts'
import { presentRefusal } from '../../../platform/mail/bounces/present-refusal.ts'
import { findMemberById, findStaffName, findSummary } from '../../members/member.queries.ts'
import { countingRightsOf, waitingRightsOf } from '../../members/rights.ts'
import { Refused } from '../../../platform/refused.ts'
import { presentNotes } from '../../notes/present-notes.ts'
import { kindsOfFactor } from '../../sessions/factors.ts'
import { presentRecoveryState } from '../../sessions/lost-factors/ask-lost-factor.ts'
import { findOpenLostFactor } from '../../sessions/lost-factors/lost-factor.queries.ts'
import { countSessionsOfMember } from '../../sessions/session.queries.ts'
import { findEmailChange, type EmailChange } from '../email-change.queries.ts'
import { takesEffectAt } from '../email-correction.ts'
import { erasureWait, findErasureRequest } from '../erasure-request.queries.ts'
import type { ListedMember } from './member-list.queries.ts'
import { presentAssignee } from '../../members/present-assignee.ts'

type Listed = Omit<ListedMember, 'kyc_state'> & { kyc_state: string | null }

export function presentListed(row: Listed, { isStaffSecondFactorRequired }: Config): ConsoleMember {
  const waitingRights = waitingRightsOf(row, isStaffSecondFactorRequired && !row.has_factor)
  return {
    id: row.id,
    email: row.email,
    name: row.display_name || fullName(row.first_name, row.last_name),
    active: row.active,
    isClosed: row.closed_at !== null,
    ...countingRightsOf(row),
    ...(waitingRights && { waitingRights }),
    kyc: (row.kyc_state as KycState | null) ?? 'none',
    hasFactor: row.has_factor,
    memberSince: row.joined_at.toISOString(),
    lastSignIn: row.last_sign_in_at.getTime() > 0 ? row.last_sign_in_at.toISOString() : null,
    assignee: presentAssignee(row),
  }
}

export async function presentMember(
  db: Tx,
  config: Config,
  caller: Caller,
  id: string,
): Promise<ConsoleMemberDetail> {
  const row = await findMemberById(db, id)
  const summary = row && (await findSummary(db, id))
  if (!row || !summary) throw new Refused('not_found')
  const refusal = await findRefusalOf(db, id)
  const erasure = await findErasureRequest(db, id)
  const assignee_name = row.assignee_id && (await findStaffName(db, row.assignee_id))
  const emailChange = await findEmailChange(db, id)
  const recovery = await findOpenLostFactor(db, id)
  return {
    ...presentListed({ ...row, ...summary, assignee_name }, config),
    displayName: row.display_name,
    firstName: row.first_name,
    midName: row.mid_name,
    lastName: row.last_name,
    language: row.language,
    closedAt: row.closed_at?.toISOString() ?? null,
    sessions: await countSessionsOfMember(db, id),
    factors: [...(await kindsOfFactor(db, id))],
    lastUpdated: row.updated_at.toISOString(),
    mailbox: refusal ? presentRefusal(refusal) : null,
    emailChange: emailChange ? presentEmailChange(emailChange) : null,
    notes: await presentNotes(db, caller, { kind: 'member', id }),
    recovery: recovery
      ? { ...presentRecoveryState(recovery), askedAt: recovery.asked_at.toISOString() }
      : null,
    erasure: erasure
      ? {
          openedAt: erasure.opened_at.toISOString(),
          openedBy: erasure.opener,
          isOwn: erasure.opened_by === caller.memberId,
          reason: erasure.reason,
          dueAt: new Date(erasure.opened_at.getTime() + erasureWait).toISOString(),
        }
      : null,
  }
}

const presentEmailChange = (change: EmailChange): ConsoleMemberDetail['emailChange'] => ({
  newEmail: change.new_email,
  startedAt: change.created_at.toISOString(),
  startedBy: change.opener,
  takesEffectAt: change.opened_by === null ? null : takesEffectAt(change).toISOString(),
  isConfirmed: change.proved_code_hash === change.code_hash,
  expiresAt: change.expires_at.toISOString(),
})
