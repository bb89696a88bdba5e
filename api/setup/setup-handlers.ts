import type { api } from '#contract/api.ts'
import { theWorld } from '../health/outside/outside.ts'
import { recordAudit } from '../platform/audit/audit.queries.ts'
import { transaction } from '../platform/db/database.ts'
import type { Handler } from '../platform/http/handler.ts'
import { checkSetup } from './check-setup.ts'
import { deleteSkippedStep, insertSkippedStep } from './setup.queries.ts'

export const readSetup: Handler<typeof api.readSetup> = (_, context) => checkSetup(context, theWorld())

export const skipSetupStep: Handler<typeof api.skipSetupStep> = async ({ params, body }, context) => {
  const { db, caller } = context
  const { step } = params
  await transaction(db, async (db) => {
    const isChanged = body.isSkipped ? await insertSkippedStep(db, step) : await deleteSkippedStep(db, step)
    if (!isChanged) return
    await recordAudit(db, {
      actorId: caller.memberId,
      action: body.isSkipped ? 'setup-step-skipped' : 'setup-step-restored',
      subjectKind: 'setup',
      subjectId: null,
      detail: { step },
    })
  })
  return checkSetup(context, theWorld())
}
