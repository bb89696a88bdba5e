import type { api } from '#contract/api.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { pingDatabase } from './operations.queries.ts'

export const checkHealth: Handler<typeof api.checkHealth> = async () => ({ status: 'ok' })

export const checkReadiness: Handler<typeof api.checkReadiness> = async (_, { db, lifecycle }) => {
  if (lifecycle.isStopping) throw new Refused('unavailable')
  await pingDatabase(db)
  return { status: 'ready' }
}
