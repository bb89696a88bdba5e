import type { api } from '#contract/api.ts'
import type { PayoutHold } from '#contract/money/payouts.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { findShownHold, lockOpenHold, openHold, proposeRelease, releaseHold } from './hold.queries.ts'
import { lockPayouts } from './payout.queries.ts'
import { person } from './person.ts'
import { isStillOfficer, secondPerson } from './require-payout.ts'

export async function readHold(db: Tx): Promise<PayoutHold | null> {
  const hold = await findShownHold(db)
  if (!hold) return null
  return {
    cause: hold.cause as PayoutHold['cause'],
    since: hold.since.toISOString(),
    openedBy: person(hold.opened_by, hold.opened_name),
    openedAt: hold.opened_at.toISOString(),
    note: hold.note,
    firstReleasedBy: person(hold.first_released_by, hold.released_name),
    releaseNote: hold.first_released_by ? hold.release_note : '',
  }
}

export const getPayoutHold: Handler<typeof api.getPayoutHold> = async (_, { db }) => ({
  hold: await readHold(db),
})

/** Waits for what is under way, so that nothing is frozen, approved, or exported after the response. */
export const holdPayouts: Handler<typeof api.holdPayouts> = ({ body }, { db, caller }) => {
  if (Date.parse(body.since) > Date.now()) throw refusedField('since', 'future')
  caller.requireStepUp()
  return transaction(db, async (tx) => {
    await lockPayouts(tx)
    await openHold(tx, { ...body, by: caller.memberId })
    await recordAudit(tx, {
      actorId: caller.memberId,
      action: 'payouts-held',
      subjectKind: 'payout',
      subjectId: null,
      detail: { since: body.since },
    })
    return { hold: await readHold(tx) }
  })
}

export const resumePayouts: Handler<typeof api.resumePayouts> = ({ body }, { db, config, caller }) =>
  transaction(db, async (tx) => {
    const hold = await lockOpenHold(tx)
    if (!hold) throw new Refused('conflict')
    const isSecond = await isStillOfficer(tx, config, hold.first_released_by, hold.first_released_at)
    if (isSecond && hold.first_released_by === caller.memberId) throw secondPerson('note')
    caller.requireStepUp()
    await (isSecond ? releaseHold : proposeRelease)(tx, hold.id, caller.memberId, body.note)
    await recordAudit(tx, {
      actorId: caller.memberId,
      action: isSecond ? 'payouts-resumed' : 'payouts-resume-proposed',
      subjectKind: 'payout',
      subjectId: null,
    })
    return { hold: await readHold(tx) }
  })
