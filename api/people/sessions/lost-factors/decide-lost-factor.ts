import type { api } from '#contract/api.ts'
import type { RecoveryRequest } from '#contract/people/account-recovery.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { getMemberById, lockMember } from '../../members/member.queries.ts'
import { notifyAdminsOfStaffAccount } from '../../members/staff-account.ts'
import { Refused } from '../../../platform/refused.ts'
import { isStillStaff } from '../is-still-staff.ts'
import {
  endOpenLostFactor,
  findAnyLostFactor,
  getShownLostFactor,
  listOpenLostFactors,
  lockAnyLostFactor,
  markConfirmed,
  markOpened,
  type LostFactorRow,
  type ShownLostFactor,
} from './lost-factor.queries.ts'
import { recordLostFactor } from './end-lost-factor.ts'

export const listRecoveryRequests: Handler<typeof api.listRecoveryRequests> = async (
  { query },
  { db, caller },
) => (await listOpenLostFactors(db, query.waitingFor && caller.memberId)).map(present)

/** Opening it again, by whoever saw the person, replaces an earlier opening. */
export const verifyRecoveryRequest: Handler<typeof api.verifyRecoveryRequest> = ({ body }, context) =>
  decide(context, body.id, ['asked', 'opened'], async (db, row) => {
    context.caller.requireStepUp()
    await markOpened(db, row.id, context.caller.memberId, body.how)
    await note(db, context, row, 'lost-factor-opened')
    return present(await getShownLostFactor(db, row.id))
  })

export const approveRecoveryRequest: Handler<typeof api.approveRecoveryRequest> = ({ body }, context) =>
  decide(context, body.id, ['opened'], async (db, row) => {
    if (row.opened_by === context.caller.memberId) throw new Refused('forbidden')
    // A request opened by a former staff member must be opened again.
    if (!(await isStillStaff(db, context.config, row.opened_by))) throw new Refused('conflict')
    context.caller.requireStepUp()
    await markConfirmed(db, row.id, context.caller.memberId)
    await note(db, context, row, 'lost-factor-confirmed')
    await notifyAdminsOfStaffAccount(
      db,
      context,
      { member: await getMemberById(db, row.member_id), actorId: context.caller.memberId },
      'staff-recovery-confirmed',
    )
    return present(await getShownLostFactor(db, row.id))
  })

export const rejectRecoveryRequest: Handler<typeof api.rejectRecoveryRequest> = ({ body }, context) =>
  decide(context, body.id, ['asked', 'opened', 'confirmed'], async (db, row) => {
    context.caller.requireStepUp()
    await endOpenLostFactor(db, row.member_id, 'declined')
    await note(db, context, row, 'lost-factor-declined')
    return { declined: true }
  })

/** Nobody decides on their own request. The member is locked first, as during sign-in. */
function decide<T>(
  { db, caller }: MemberContext,
  id: string,
  from: readonly LostFactorRow['state'][],
  step: (db: Tx, row: LostFactorRow) => Promise<T>,
): Promise<T> {
  return transaction(db, async (db) => {
    const known = await findAnyLostFactor(db, id)
    if (!known) throw new Refused('not_found')
    if (known.member_id === caller.memberId) throw new Refused('forbidden')
    await lockMember(db, known.member_id)
    const row = await lockAnyLostFactor(db, id)
    if (!row) throw new Refused('not_found')
    if (!from.includes(row.state)) throw new Refused('conflict')
    return step(db, row)
  })
}

const note = (
  db: Tx,
  context: MemberContext,
  row: LostFactorRow,
  step: 'lost-factor-opened' | 'lost-factor-confirmed' | 'lost-factor-declined',
): Promise<void> =>
  recordLostFactor(db, context, { id: row.id, memberId: row.member_id, by: context.caller.memberId }, step)

const present = (row: ShownLostFactor): RecoveryRequest => ({
  id: row.id,
  member: { id: row.member_id, email: row.email, name: row.display_name },
  state: row.state as RecoveryRequest['state'],
  takesEffectAt: row.takes_effect_at?.toISOString() ?? null,
  askedAt: row.asked_at.toISOString(),
  openedBy: row.opened_by === null ? null : { id: row.opened_by, name: row.opener_name ?? '' },
  openedAt: row.opened_at?.toISOString() ?? null,
  how: row.opened_how,
  confirmedBy: row.confirmed_by === null ? null : { id: row.confirmed_by, name: row.confirmer_name ?? '' },
})
