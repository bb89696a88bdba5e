import type { TestProject } from 'vitest/node'
import { makeContentWithSpanish } from './content-with-spanish.ts'

/** The content first: the set-up of the database reads which languages there are. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  makeContentWithSpanish()
  const { default: setUpDatabase } = await import('#tests/setup/database-server.ts')
  return setUpDatabase(project)
}
