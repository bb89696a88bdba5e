import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartRefused } from '#api/start-refused.ts'

export type StartLock = { release(): void }

const sqliteBusy = 5

/**
 * One product process per data directory. SQLite's exclusive lock is the kernel's record lock, which ends with
 * the process in any case, so it is never stale. Nothing else in this process may open the file: closing any
 * handle on it would drop the lock (POSIX `fcntl`).
 */
export function acquireStartLock(directory: string): StartLock {
  const path = join(directory, 'pg.lock')
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    // In memory, because a killed process would leave a journal file behind.
    file.exec('pragma journal_mode = memory; begin exclusive')
    chmodSync(path, 0o600)
  } catch (error) {
    file?.close()
    throw new StartRefused(
      (error as { errcode?: number }).errcode === sqliteBusy
        ? `Another process is already using ${directory}. Stop it, choose another DATA_DIR, or give all instances the same DATABASE_URL.`
        : `${path} can’t be locked (${(error as Error).message}). Give this user write access to it.`,
    )
  }
  const held = file
  return { release: () => held.isOpen && held.close() }
}
