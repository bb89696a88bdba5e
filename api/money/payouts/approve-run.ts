import type { api } from '#contract/api.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { recordFourEyes } from '../../people/four-eyes/record-changes.ts'
import { approveRun, shareLockOfPayouts } from './payout.queries.ts'
import { presentRun } from './read-payouts.ts'
import { auditRun, recordRunChange } from './record-payout.ts'
import {
  isStillOfficer,
  lockOtherMembersRun,
  readFrozen,
  requireNoHold,
  secondPerson,
} from './require-payout.ts'
import { normalizeHash } from './run-hash.rules.ts'

export const approvePayout: Handler<typeof api.approvePayout> = async ({ params, body }, context) => {
  const { db, config, caller } = context
  await transaction(db, async (tx) => {
    await shareLockOfPayouts(tx)
    const run = await lockOtherMembersRun(tx, params.id, caller)
    await requireNoHold(tx)
    if (!run.needs_two || run.approved_at || run.cancelled_at) throw new Refused('conflict')
    if (run.frozen_by === caller.memberId) throw secondPerson('hash')
    // After three days, or if the first officer lost the right, the run can only be canceled.
    if (!(await isStillOfficer(tx, config, run.frozen_by, run.frozen_at))) throw new Refused('conflict')
    if (normalizeHash(body.hash) !== run.hash) throw refusedField('hash', 'mismatch')
    caller.requireStepUp()
    await readFrozen(tx, run)
    await recordFourEyes(tx, context)
    await approveRun(tx, run.id, caller.memberId)
    await auditRun(tx, { by: caller.memberId, action: 'payout-approved' }, run)
    await recordRunChange(tx, run, 'approved')
  })
  return presentRun(db, context, params.id)
}
