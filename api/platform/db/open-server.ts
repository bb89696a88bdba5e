import type { Config } from '../config/config.ts'
import { StartRefused } from '../start-refused.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { refusalOfConnection } from './explain-connection.ts'
import { migrateToLatest } from './migrate.ts'
import { requireNoUnfinishedRestore } from './set-aside.ts'

export const embeddedInProduction =
  'The embedded database is for testing and development. In production, set DATABASE_URL to a PostgreSQL server.'

/** Applies even if production is only assumed, for example because of an https PUBLIC_URL. */
const embeddedRefused =
  'The embedded database can’t be used in production because its libraries get no security fixes (OpenSSL 1.1.1, ICU 60). Set DATABASE_URL to a PostgreSQL server. To use the embedded database anyway, set EMBEDDED_DATABASE="accept the risk".'

type DatabaseServer = {
  url: string
  /** Bypasses a pooler, if there is one. */
  directUrl: string
  isEmbedded: boolean
  /** Resolves when an embedded server has ended without being stopped. */
  exited: Promise<void>
  stop(): Promise<void>
}

/** The PostgreSQL at the given address, or the embedded one in the data directory. */
export async function openServer(
  config: Config,
  log: (event: string, detail?: object) => void,
): Promise<DatabaseServer> {
  if (config.databaseUrl)
    return {
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl ?? config.databaseUrl,
      isEmbedded: false,
      exited: new Promise(() => {}),
      stop: async () => {},
    }
  if (config.isProduction && !config.acceptsEmbedded) throw new StartRefused(embeddedRefused)
  const embedded = await startEmbedded({ dataDir: config.dataDir, log })
  return { ...embedded, directUrl: embedded.url, isEmbedded: true }
}

/** Migrates the schema. If the database cannot be reached, the error is a sentence without the password. */
export async function migrate(url: string): Promise<void> {
  try {
    await requireNoUnfinishedRestore(url)
    await migrateToLatest(url)
  } catch (error) {
    if (error instanceof StartRefused) throw error
    throw refusalOfConnection(url, error) ?? error
  }
}
