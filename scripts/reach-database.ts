import { readConfig } from '#api/platform/config/config.ts'
import { isOutage, openDatabase, type Database } from '#api/platform/db/database.ts'
import { describeError } from '#api/platform/text/describe-error.ts'
import { findEmbedded } from '#api/platform/db/embedded/find-embedded.ts'
import { startEmbedded } from '#api/platform/db/embedded/start-embedded.ts'
import { say } from '#api/platform/operations/print-message.ts'
import { StartRefused } from '#api/platform/start-refused.ts'

type Reached = { url: string; close(): Promise<void> }

/**
 * Opens the database that the settings name, for a command: DATABASE_URL, otherwise the embedded one in DATA_DIR. For
 * reading, the server of a running program is used. For writing, no program may be running, and the command has
 * exclusive access to DATA_DIR.
 */
export async function reachDatabase(purpose: 'read' | 'write'): Promise<Reached> {
  const {
    databaseUrl,
    databaseDirectUrl = databaseUrl,
    dataDir,
  } = readConfig({
    ...process.env,
    // A command does not require a key.
    NODE_ENV: undefined,
  })
  if (databaseDirectUrl) return { url: databaseDirectUrl, close: () => Promise.resolve() }
  if (purpose === 'read') {
    const found = await findEmbedded(dataDir)
    if (found === 'absent') {
      throw new StartRefused(
        `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL to the correct database.`,
      )
    }
    if (found !== 'stopped') return { url: found.url, close: () => Promise.resolve() }
  }
  const server = await startEmbedded({ dataDir, log: () => undefined })
  return { url: server.url, close: server.stop }
}

/** Runs a command on a file and the database. The exit code is 0, or 1 with one sentence on standard error. */
export const runOnDatabase = (
  purpose: 'read' | 'write',
  usage: string,
  work: (url: string, file: string) => Promise<string>,
): Promise<void> =>
  run(async () => {
    const [file, ...rest] = process.argv.slice(2)
    if (!file || rest.length > 0) throw new StartRefused(`Name one file. Usage: ${usage}.`)
    await reaching(purpose, async (url) => console.log(await work(url, file)))
  })

/** Runs a command with the database open. It ends in the same way. */
export const runWithDatabase = (
  purpose: 'read' | 'write',
  work: (db: Database) => Promise<void>,
): Promise<void> =>
  run(() =>
    reaching(purpose, async (url) => {
      const db = openDatabase(url, () => undefined, { prepares: readConfig(process.env).preparesStatements })
      try {
        await work(db)
      } finally {
        await db.destroy()
      }
    }),
  )

/** Opens the database for the duration of the work. */
export async function reaching(
  purpose: 'read' | 'write',
  work: (url: string) => Promise<void>,
): Promise<void> {
  const reached = await reachDatabase(purpose)
  try {
    await work(reached.url)
  } finally {
    await reached.close()
  }
}

/** For unexpected errors, only details that cannot contain personal data are printed. */
function explain(error: unknown): string {
  if (error instanceof StartRefused) return error.message
  if (isOutage(error)) {
    const { code = 'no answer' } = error as { code?: string }
    return `The database can’t be reached (${code}). Check DATABASE_URL, or DATA_DIR and its disk.`
  }
  return `The command stopped because of an internal error: ${JSON.stringify(describeError(error))}`
}

/** The exit code is 0, or 1 with one sentence on standard error. */
export async function run(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    say(error instanceof StartRefused ? 'refused' : 'failed', explain(error))
    process.exitCode = 1
  }
}
