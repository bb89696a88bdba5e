import type { HealthCheck, InsideCheckName } from '#contract/console-health.ts'
import { SECOND } from '#contract/durations.ts'
import { checked, type Examined } from './check.ts'
import { checks } from './checks.ts'

const answerTimeMax = 8 * SECOND

/** What does not answer is itself what is wrong; it does not hide the others. */
export async function look(name: InsideCheckName, examined: Examined): Promise<HealthCheck> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), answerTimeMax)
  })
  try {
    return await Promise.race([checks[name](examined), late])
  } catch (error) {
    examined.log.warn(
      { step: name, name: error instanceof Error ? error.name : 'unknown' },
      'a check of the health got no answer',
    )
    return checked(name, { facts: {}, problems: { unanswered: true } })
  } finally {
    clearTimeout(timer)
  }
}
