import { SECOND } from '#contract/platform/durations.ts'
import { startEvery } from '../../../platform/jobs/start-every.ts'
import type { Worker } from '../../../platform/module.ts'
import type { Services } from '../../../platform/services.ts'
import { readListHash } from './screen.ts'
import { screenCase } from './screen-case.ts'
import { listUnscreened } from './screening.queries.ts'

const every = 5 * SECOND
const atOnce = 50

type Comparing = Pick<Services, 'db' | 'config' | 'log'>

/**
 * Starts the worker that screens new submissions and, when a list changes, all pending cases, so that the queue can
 * show the result.
 */
export const startScreening = (services: Services): Worker =>
  startEvery(services, {
    job: 'screening',
    every,
    work: (isStopped) => screenWaiting(services, isStopped),
    failed: 'screening failed',
  })

/** Screens cases one after the other, so that an officer who opens a case waits for one comparison at most. */
export async function screenWaiting(
  services: Comparing,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const listHash = await readListHash(services)
  if (listHash === undefined) return
  for (let after = ''; ;) {
    const rows = await listUnscreened(services.db, listHash, after, atOnce)
    for (const row of rows) {
      if (isStopped()) return
      await screenCase(services.db, services, row)
    }
    if (rows.length < atOnce) return
    after = rows.at(-1)!.id
  }
}
