import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND } from '#contract/platform/durations.ts'
import { dumpDatabase } from '#api/platform/db/dump.ts'
import { waitForMigrations } from '#api/platform/db/migrate.ts'
import { finishRestore, hasUnfinishedRestore, putBack, setAside } from '#api/platform/db/set-aside.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { describeError } from '#api/platform/text/describe-error.ts'
import {
  currentRelease,
  migrationsOf,
  runIn,
  switchTo,
  versionOf,
  type Installation,
} from './installation.ts'
import { isReady, waitUntilReady, type Service } from './service.ts'
import { readState, writeState, type Upgrade } from './state-file.ts'
import { onDatabase, readApplied, recordRelease, requireAlone } from './upgrade-database.ts'

/** How long a release may take to become ready by default. This is enough for a start that re-encrypts data. */
export const patienceDefault = 180 * SECOND

/** The server that a command changes. */
export type Server = {
  installation: Installation
  service: Service
  readyUrl: string
  /** How long a release may take to become ready, in milliseconds. */
  patience: number
}

const saveOpen = ({ installation }: Server, open: Upgrade): void =>
  writeState(installation, { ...readState(installation), open })

/**
 * Replaces the current release. If a step fails, everything returns to what it was. If the new release migrates the
 * database, the product is stopped before the dump, so the dump contains everything that was stored.
 */
export async function performUpgrade(server: Server, to: string, isMigrating: boolean): Promise<void> {
  const open = await beginUpgrade(server, to)
  const began = performance.now()
  try {
    if (!isMigrating) await dump(open)
    await stopUnits(server, open)
    if (isMigrating) {
      await requireAlone()
      await dump(open)
      saveOpen(server, { ...open, step: 'migrating' })
      console.log('Migrating the database…')
      await runIn(server.installation, to, ['db-migrate'])
    }
    await startRelease(server, open)
  } catch (error) {
    console.log(`The upgrade failed: ${reasonOf(error)}`)
    await returnAfterFailure(server)
    throw new StartRefused(
      `The upgrade was rolled back, and ${versionOf(server.installation, open.from)} is running again.`,
    )
  }
  const seconds = Math.round((performance.now() - began) / SECOND)
  await completeUpgrade(server)
  console.log(`Upgraded to ${versionOf(server.installation, to)} in ${seconds} seconds.`)
}

async function beginUpgrade(server: Server, to: string): Promise<Upgrade> {
  const { installation, service } = server
  const id = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const dumps = join(installation.home, 'dumps')
  mkdirSync(dumps, { recursive: true, mode: 0o700 })
  const states = await Promise.all(service.units.map(service.isRunning))
  const running = service.units.filter((_, at) => states[at])
  if (running.length === 0 && (await isReady(server.readyUrl))) throw otherServer(server)
  const open: Upgrade = {
    id,
    from: currentRelease(installation),
    to,
    dump: join(dumps, `before-${id}.dump`),
    units: running.length > 0 ? running : service.units.slice(0, 1),
    step: 'preparing',
    wasStarted: false,
    isRollback: false,
  }
  saveOpen(server, open)
  return open
}

async function dump({ dump: file }: Upgrade): Promise<void> {
  console.log('Dumping the database…')
  await onDatabase((url) => dumpDatabase(url, file))
}

/** It contains personal data. If the dump was interrupted, unfinished files are deleted, too. */
function deleteDump({ dump: file }: Upgrade): void {
  for (const path of [file, `${file}.body`, `${file}.partial`]) rmSync(path, { force: true })
}

async function stopUnits(server: Server, { units }: Upgrade): Promise<void> {
  console.log(`Stopping ${units.join(', ')}…`)
  for (const unit of units.toReversed()) await server.service.stop(unit)
  if (await isReady(server.readyUrl)) throw otherServer(server)
}

const otherServer = ({ service, readyUrl }: Server): StartRefused =>
  new StartRefused(
    `A server responds at ${readyUrl} that isn’t one of the units ${service.units.join(', ')}. COIN_SERVICE must name the units of the product.`,
  )

async function startRelease(server: Server, open: Upgrade): Promise<void> {
  saveOpen(server, { ...open, step: 'starting', wasStarted: true })
  switchTo(server.installation, open.to)
  await startUnits(server, open)
}

/** The release counts as started when the first unit is ready. Other units that don't start are only reported. */
export async function startUnits({ service, readyUrl, patience }: Server, { units }: Upgrade): Promise<void> {
  const [first, ...others] = units
  console.log(`Starting ${units.join(', ')}…`)
  await service.start(first!)
  await waitUntilReady(readyUrl, patience)
  for (const unit of others)
    try {
      await service.start(unit)
    } catch (error) {
      console.log(reasonOf(error))
    }
}

/** Records a new release that is ready. The dump of the upgrade before it isn't needed any more. */
export async function completeUpgrade({ installation }: Server): Promise<void> {
  const { open, last } = readState(installation)
  await recordSafely(installation, 'release-upgraded', open!)
  writeState(installation, { last: { ...open!, doneAt: new Date().toISOString() } })
  if (last) deleteDump(last)
}

async function returnAfterFailure(server: Server): Promise<void> {
  try {
    await undoUpgrade(server)
  } catch (error) {
    throw new StartRefused(
      `Rolling the upgrade back failed, too: ${reasonOf(error)} Fix the cause, and run coin rollback, which continues.`,
    )
  }
}

/**
 * Returns to the release before the open upgrade, and to its database if that was migrated. Can be repeated after it was
 * interrupted at any point.
 */
export async function undoUpgrade(server: Server): Promise<void> {
  const { installation } = server
  const { open: begun, last } = readState(installation)
  const open: Upgrade = { ...begun!, step: 'undoing' }
  // Before the migration, the dump isn't needed, and it may have filled the disk.
  if (begun!.step === 'preparing') deleteDump(open)
  saveOpen(server, open)
  await stopUnits(server, open)
  await onDatabase(waitForMigrations)
  const isMigrated = (await readApplied()).join() !== migrationsOf(installation, open.from).join()
  if (isMigrated || (await onDatabase(hasUnfinishedRestore))) await restore(server, open)
  switchTo(installation, open.from)
  // A short time limit is meant for the new release.
  await startUnits({ ...server, patience: Math.max(server.patience, patienceDefault) }, open)
  await recordSafely(installation, open.isRollback ? 'release-rolled-back' : 'release-upgrade-failed', open)
  writeState(installation, { last })
  deleteDump(open)
}

/** A release that was started may have stored something, so its database is kept beside the restored one. */
async function restore(server: Server, open: Upgrade): Promise<void> {
  const keptAs = open.wasStarted ? `before_rollback_${open.id}` : undefined
  console.log('Restoring the database…')
  await requireAlone()
  await onDatabase(setAside)
  try {
    await runIn(server.installation, open.from, ['db-restore', open.dump, ...(keptAs ? [] : ['--exact'])])
  } catch (error) {
    if (open.isRollback) await cancelRollback(server, open)
    throw error
  }
  await onDatabase((url) => finishRestore(url, keptAs))
  if (keptAs)
    console.log(
      `The migrated database is kept in the schema ${keptAs}. When you no longer need it, run this SQL statement: drop schema ${keptAs} cascade`,
    )
}

/** The release that was to be left still works with its database. */
async function cancelRollback(server: Server, open: Upgrade): Promise<void> {
  console.log('The dump can’t be restored, so the current release is started again…')
  await onDatabase(putBack)
  await startUnits(server, open)
  writeState(server.installation, { last: { ...open, isRollback: false } })
}

/** A missing entry is no reason to leave a release that works. */
async function recordSafely(
  installation: Installation,
  action: Parameters<typeof recordRelease>[0],
  { from, to, isRollback }: Upgrade,
): Promise<void> {
  const versions = { from: versionOf(installation, from), to: versionOf(installation, to) }
  try {
    await recordRelease(action, isRollback ? { from: versions.to, to: versions.from } : versions)
  } catch (error) {
    console.log(`The audit log has no entry about this: ${reasonOf(error)}`)
  }
}

/** Unexpected errors may contain personal data in their messages. */
const reasonOf = (error: unknown): string =>
  error instanceof StartRefused ? error.message : JSON.stringify(describeError(error))
