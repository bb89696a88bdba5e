import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { StartRefused } from '#api/platform/start-refused.ts'
import type { Installation } from './installation.ts'

/**
 * How far an upgrade is. Until `starting`, the new release has never run, so an upgrade that was interrupted can be undone
 * without loss. From `starting` on, it may have served visitors.
 */
export type Step = 'preparing' | 'migrating' | 'starting' | 'undoing'

export type Upgrade = {
  /** The time of its start, as part of names. */
  id: string
  from: string
  to: string
  /** The path of the dump that was made before the upgrade. */
  dump: string
  /** The units that were running. */
  units: string[]
  step: Step
  /** Whether the new release was started, so it may have changed data or sent emails. */
  wasStarted: boolean
  /** Whether a completed upgrade is being undone. */
  isRollback: boolean
  doneAt?: string
}

/** `open` is an upgrade or a rollback that isn't complete; `last` is the last upgrade that is. */
export type State = { open?: Upgrade | undefined; last?: Upgrade | undefined }

const fileOf = ({ home }: Installation): string => join(home, 'upgrade.json')

export function readState(installation: Installation): State {
  const file = fileOf(installation)
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as State
  } catch (error) {
    throw new StartRefused(
      `The state of the last upgrade, ${file}, can’t be read (${(error as NodeJS.ErrnoException).code ?? 'invalid JSON'}). Run the command as root.`,
    )
  }
}

/** Writes the state so that it survives a power failure. The file is never incomplete. */
export function writeState(installation: Installation, state: State): void {
  const file = fileOf(installation)
  writeFileSync(`${file}.new`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  const folder = openSync(installation.home, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Refuses a second upgrade at the same time. The lock is a socket, which the system releases when the process ends. */
export const lockUpgrades = ({ home }: Installation): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createServer().unref()
    socket.once('listening', resolve)
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new StartRefused(
          code === 'EADDRINUSE'
            ? 'Another coin upgrade or coin rollback is running. Wait until it ends.'
            : `The lock for upgrades can’t be acquired (${code}). Upgrades need Linux.`,
        ),
      ),
    )
    socket.listen({ path: `\0coin-upgrade ${home}` })
  })
