import type { api } from '#contract/api.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import type { RecoveryState } from '#contract/people/account-recovery.ts'
import { transaction, type Tx } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { findMemberById, lockMember } from '../../members/member.queries.ts'
import { refund, requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../../platform/refused.ts'
import { hasAnyFactor } from '../factors.ts'
import { verifyCredentials } from '../verify-credentials.ts'
import { endLostFactorIfDue, recordLostFactor, isStopCode } from './end-lost-factor.ts'
import {
  endOpenLostFactor,
  findAnyLostFactor,
  findOpenLostFactor,
  insertLostFactor,
  type LostFactorRow,
} from './lost-factor.queries.ts'

export const presentRecoveryState = (
  row: Pick<LostFactorRow, 'state' | 'takes_effect_at'>,
): RecoveryState => ({
  state: row.state as RecoveryState['state'],
  takesEffectAt: row.takes_effect_at?.toISOString() ?? null,
})

/** The status of the member's request, for callers with the correct password. */
export async function findLostFactorState(db: Tx, memberId: string): Promise<RecoveryState | undefined> {
  const row = await findOpenLostFactor(db, memberId)
  return row && presentRecoveryState(row)
}

/**
 * The password is counted and verified as in a sign-in. A repeated request returns the status of the open one.
 */
export const requestAccountRecovery: Handler<typeof api.requestAccountRecovery> = async (
  { body },
  context,
) => {
  const { db, keys } = context
  const { member, limits } = await verifyCredentials(context, body)
  await refund(db, keys, limits)
  return transaction(db, async (db) => {
    const current = await lockMember(db, member.id)
    if (!current?.active || current.password_hash !== member.password_hash)
      throw new Refused('credentials_invalid')
    await endLostFactorIfDue(db, context, member.id)
    // Without a factor no recovery is needed: the password signs in.
    if (!(await hasAnyFactor(db, member.id))) throw new Refused('conflict')
    const open = await findOpenLostFactor(db, member.id)
    if (open) return presentRecoveryState(open)
    await requireWithinLimits(db, keys, [{ key: `lost-factor ${member.id}`, max: 3, window: DAY }])
    const row = await insertLostFactor(db, member.id)
    await recordLostFactor(
      db,
      context,
      { id: row.id, memberId: member.id, by: member.id },
      'lost-factor-asked',
    )
    return presentRecoveryState(row)
  })
}

/** By the emailed link: the owner of the mailbox can stop the request until it takes effect. */
export const cancelRecoveryRequest: Handler<typeof api.cancelRecoveryRequest> = async ({ body }, context) => {
  const { db, keys, request } = context
  const row = await findAnyLostFactor(db, body.id)
  const known = row && (await findMemberById(db, row.member_id))
  if (!row || !known || !isStopCode(keys, row.id, known.email, body.code)) {
    // A correct code is not subject to the client's limit, which others may have used up.
    await requireWithinLimits(db, keys, [
      { key: `lost-factor-stop ${request.client}`, max: 30, window: 15 * MINUTE },
    ])
    throw new Refused('code_invalid')
  }
  await transaction(db, async (db) => {
    const member = await lockMember(db, known.id)
    if (member?.email !== known.email) throw new Refused('code_invalid')
    const open = await findOpenLostFactor(db, member.id)
    if (open?.id === row.id) {
      await endOpenLostFactor(db, member.id, 'stopped')
      return recordLostFactor(
        db,
        context,
        { id: row.id, memberId: member.id, by: null },
        'lost-factor-stopped',
      )
    }
    const ended = await findAnyLostFactor(db, row.id)
    // A second click on the link is not an error; a late one is.
    if (ended?.state === 'done') throw new Refused('conflict')
    return undefined
  })
  return { stopped: true }
}
