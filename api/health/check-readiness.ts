import type { api } from '#contract/api.ts'
import { readinessParts } from '#contract/operations.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { pingDatabase } from './health.queries.ts'
import { look } from './look.ts'

/**
 * Whether requests may be sent here: the database answers and no stop is under way. Everybody is told only that; who brings the
 * token of the metrics learns which parts work badly meanwhile.
 */
export const checkReadiness: Handler<typeof api.checkReadiness> = async (_, context) => {
  if (context.lifecycle.isStopping) throw new Refused('unavailable')
  await pingDatabase(context.db)
  if (!context.request.isWatcher) return { status: 'ready' }
  const found = await Promise.all(readinessParts.map((name) => look(name, context)))
  return {
    status: 'ready',
    degraded: found
      .filter(({ state }) => state !== 'good')
      .map(({ name, problems }) => ({ part: name as never, problems })),
  }
}
