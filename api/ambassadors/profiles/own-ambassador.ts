import type { OwnAmbassador } from '#contract/ambassador-profiles.ts'
import type { api } from '#contract/api.ts'
import { recordAudit } from '../../audit/audit.queries.ts'
import { announceChange } from '../../db/changes.ts'
import { transaction } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { getMemberById, lockMember } from '../../members/member.queries.ts'
import { Refused } from '../../refused.ts'
import type { Services } from '../../services.ts'
import { moveApplications } from '../applications/application.queries.ts'
import { recordLoops } from '../results/record-invitation.ts'
import {
  bindAmbassador,
  deleteInvitation,
  findAmbassadorOfMember,
  isInvited,
  lockAmbassadorOfMember,
  lockInvited,
  renewAmbassador,
  type AmbassadorRow,
} from './ambassador.queries.ts'
import { presentVersion } from './present-profile.ts'
import { findApproved, findInWork } from './profile.queries.ts'

export const standingOf = ({ ended_at, hidden_at }: Pick<AmbassadorRow, 'ended_at' | 'hidden_at'>) =>
  ended_at ? 'ended' : hidden_at ? 'hidden' : 'active'

/**
 * An account with an unverified mailbox must not learn of an invitation: it may belong to a stranger who signed up with
 * someone else's address. A former ambassador who is invited at their current address may join again.
 */
export async function presentOwn(
  { db, files }: Pick<Services, 'db' | 'files'>,
  memberId: string,
): Promise<OwnAmbassador> {
  const row = await findAmbassadorOfMember(db, memberId)
  if (!row || row.ended_at) {
    const member = await getMemberById(db, memberId)
    if (member.address_proved_at && (await isInvited(db, member.email)))
      return { state: 'invited', ambassador: null }
    if (!row) return { state: member.address_proved_at ? 'none' : 'unproved', ambassador: null }
  }
  const [approved, inWork] = [await findApproved(db, row.id), await findInWork(db, row.id)]
  return {
    state: 'joined',
    ambassador: {
      id: row.id,
      since: row.since.toISOString(),
      slug: row.slug,
      code: row.code,
      standing: standingOf(row),
      reason: row.reason,
      approved: approved ? await presentVersion(files, approved) : null,
      inWork: inWork ? await presentVersion(files, inWork) : null,
    },
  }
}

export const getOwnAmbassador: Handler<typeof api.getOwnAmbassador> = (_, context) =>
  presentOwn(context, context.caller.memberId)

/**
 * Joins the invited ambassador with the account that has verified the mailbox now. Afterwards, the ambassador stays
 * with the account.
 */
export const joinAsAmbassador: Handler<typeof api.joinAsAmbassador> = async (_, context) => {
  const { memberId } = context.caller
  await transaction(context.db, async (db) => {
    const member = await lockMember(db, memberId)
    if (!member?.active) throw new Refused('session_expired')
    const before = await lockAmbassadorOfMember(db, memberId)
    if (before && !before.ended_at) return
    const invited = member.address_proved_at && (await lockInvited(db, member.email))
    if (!invited && before) return
    if (!invited) throw new Refused('not_found')
    const joined = before ?? invited
    if (before) {
      // An account has one ambassador: a former one becomes active again with the same page address.
      await moveApplications(db, invited.id, before.id)
      await deleteInvitation(db, invited.id)
      await renewAmbassador(db, before.id)
      await announceChange(db, 'ambassadors')
    } else await bindAmbassador(db, invited.id, memberId)
    await recordLoops(db, memberId)
    await recordAudit(db, {
      actorId: memberId,
      action: 'ambassador-joined',
      subjectKind: 'ambassador',
      subjectId: joined.id,
    })
  })
  return presentOwn(context, memberId)
}
