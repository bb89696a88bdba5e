import type { api } from '#contract/api.ts'
import type { Handler } from '../platform/http/handler.ts'
import { refusedField } from '../platform/refused.ts'
import { presentMaintenance } from './present-maintenance.ts'
import { endMaintenance, startMaintenance } from './switch-maintenance.ts'

export const setMaintenance: Handler<typeof api.setMaintenance> = async ({ body }, context) => {
  const { db, caller, maintenance } = context
  const until = body.until ? new Date(body.until) : null
  if (body.isOn && until && until.getTime() <= Date.now()) throw refusedField('until', 'past')
  caller.requireStepUp()
  const actorId = caller.memberId
  await (body.isOn ? startMaintenance(db, { actorId, until }) : endMaintenance(db, { actorId }))
  // This instance knows before it answers; the others hear of it.
  await maintenance.reload()
  return { maintenance: await presentMaintenance(db) }
}
