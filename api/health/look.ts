import type { HealthCheck, InsideCheckName } from '#contract/console/console-health.ts'
import { SECOND } from '#contract/platform/durations.ts'
import { isOutage } from '../platform/db/database.ts'
import { describeError } from '../platform/text/describe-error.ts'
import { checked, type Examined } from './check.ts'
import { checks } from './checks.ts'

class Late extends Error {}

const answerTimeMax = 8 * SECOND

/** A part that does not answer is itself the problem, and does not hide the others. */
export async function look(name: InsideCheckName, examined: Examined): Promise<HealthCheck> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late()), answerTimeMax)
  })
  try {
    return await Promise.race([checks[name](examined), late])
  } catch (error) {
    examined.log.warn(
      { step: name, name: error instanceof Error ? error.name : 'unknown' },
      'a health check timed out',
    )
    // A bug or a wrong setting is not a timeout.
    const isLate = error instanceof Late || isOutage(error)
    return checked(name, {
      facts: isLate ? {} : { why: describeError(error).code ?? describeError(error).name },
      problems: isLate ? { unanswered: true } : { check_failed: true },
    })
  } finally {
    clearTimeout(timer)
  }
}
