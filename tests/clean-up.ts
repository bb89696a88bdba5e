import { expect } from 'vitest'
import { modules } from '#api/app.ts'
import { cleanUp as runCleanUp } from '#api/platform/jobs/housekeeping.ts'
import type { Services } from '#api/platform/services.ts'

/** Runs housekeeping of all modules once. None may fail. */
export async function cleanUp(services: Services): Promise<void> {
  expect(await runCleanUp(services, modules)).toEqual([])
}
