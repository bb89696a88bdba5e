import { migrate } from '#api/platform/db/open-server.ts'
import { readMigrations } from '#api/platform/db/migrate.ts'
import { reaching, run } from './reach-database.ts'

/**
 * Migrates the database as a start does, and ends. Any number of instances may run or start at the same time. It is for
 * installations that migrate before they replace instances, such as Compose and Kubernetes.
 */
await run(() =>
  reaching('write', async (url) => {
    await migrate(url)
    console.log(`The database is at migration ${(await readMigrations()).at(-1)!.name}.`)
  }),
)
