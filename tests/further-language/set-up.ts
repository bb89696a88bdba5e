import type { TestProject } from 'vitest/node'
import { makeContentWithSpanish } from './content-with-spanish.ts'

/** The content is created first, because the setup of the database reads the list of languages. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  makeContentWithSpanish()
  const { default: setUpDatabase } = await import('#tests/setup/database-server.ts')
  return setUpDatabase(project)
}
