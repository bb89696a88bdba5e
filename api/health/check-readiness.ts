import type { api } from '#contract/api.ts'
import { readinessParts } from '#contract/operations.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { pingDatabase } from './health.queries.ts'
import { look } from './look.ts'

/**
 * Whether this instance can receive requests: the database answers, and no shutdown is in progress. Everyone
 * learns only that; requests with the metrics token also learn which parts are degraded.
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
