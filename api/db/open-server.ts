import type { Config } from '../config.ts'
import { StartRefused } from '../start-refused.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { migrateToLatest } from './migrate.ts'
import { isOutage } from './database.ts'

export type DatabaseServer = {
  url: string
  isEmbedded: boolean
  /** Resolves when an embedded server is gone although nobody stopped it. */
  exited: Promise<void>
  stop(): Promise<void>
}

/** The PostgreSQL given by address, or the embedded one in the data directory. */
export async function openServer(
  config: Config,
  log: (event: string, detail?: object) => void,
): Promise<DatabaseServer> {
  if (config.databaseUrl)
    return { url: config.databaseUrl, isEmbedded: false, exited: new Promise(() => {}), stop: async () => {} }
  return { isEmbedded: true, ...(await startEmbedded({ dataDir: config.dataDir, log })) }
}

/** Brings the schema up to date. If the database cannot be reached, the error is a sentence without the password. */
export async function migrate(url: string): Promise<void> {
  try {
    await migrateToLatest(url)
  } catch (error) {
    if (error instanceof StartRefused) throw error
    const { code = '' } = error as { code?: string }
    if (isOutage(error))
      throw new StartRefused(
        `The database at ${new URL(url).host} cannot be reached (${code || 'no answer'}); check DATABASE_URL.`,
      )
    if (code.startsWith('28') || code === '3D000')
      throw new StartRefused(
        `The database at ${new URL(url).host} refuses the user, password or database name of DATABASE_URL.`,
      )
    throw error
  }
}
