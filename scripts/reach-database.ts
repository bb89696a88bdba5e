import { readConfig } from '#api/config.ts'
import { findEmbedded } from '#api/db/embedded/find-embedded.ts'
import { startEmbedded } from '#api/db/embedded/start-embedded.ts'
import { StartRefused } from '#api/start-refused.ts'

type Reached = { url: string; close(): Promise<void> }

/**
 * The database that the settings name, for a command: DATABASE_URL, or the embedded one in DATA_DIR. To read, the
 * server that the program runs there is used; to write it must not run, and the command has DATA_DIR for itself.
 */
export async function reachDatabase(purpose: 'read' | 'write'): Promise<Reached> {
  const { databaseUrl, dataDir } = readConfig(process.env)
  if (databaseUrl) return { url: databaseUrl, close: () => Promise.resolve() }
  if (purpose === 'read') {
    const found = await findEmbedded(dataDir)
    if (found === 'absent') {
      throw new StartRefused(
        `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL to the one you mean.`,
      )
    }
    if (found !== 'stopped') return { url: found.url, close: () => Promise.resolve() }
  }
  const server = await startEmbedded({ dataDir, log: () => undefined })
  return { url: server.url, close: server.stop }
}

/** Runs a command on the database and ends the process: 0, or 1 with one sentence on standard error. */
export async function runOnDatabase(
  purpose: 'read' | 'write',
  usage: string,
  work: (url: string, file: string) => Promise<string>,
): Promise<void> {
  let reached: Reached | undefined
  try {
    const [file, ...rest] = process.argv.slice(2)
    if (!file || rest.length > 0) throw new StartRefused(`Name one file: ${usage}.`)
    reached = await reachDatabase(purpose)
    console.log(await work(reached.url, file))
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    console.error(error.message)
    process.exitCode = 1
  } finally {
    await reached?.close()
  }
}
