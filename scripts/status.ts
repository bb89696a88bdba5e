import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { findLastBackup } from '#api/platform/backup/backup-run.queries.ts'
import type { Database } from '#api/platform/db/database.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { currentRelease, findInstallation, listReleases, versionOf } from './coin/installation.ts'
import { isReady, openService, readyUrlOf } from './coin/service.ts'
import { readState } from './coin/state-file.ts'
import { readApplied, withDatabase } from './coin/upgrade-database.ts'
import { run } from './reach-database.ts'

type Status = Awaited<ReturnType<typeof readStatus>>

await run(async () => {
  const status = await readStatus()
  console.log(readWords().json ? JSON.stringify(status, undefined, 2) : describeStatus(status))
  if (!status.isReady || status.interrupted) process.exitCode = 1
})

function readWords(): { json?: boolean | undefined } {
  try {
    return parseArgs({ options: { json: { type: 'boolean' } } }).values
  } catch {
    throw new StartRefused('Usage: coin status [--json].')
  }
}

async function readStatus() {
  const installation = findInstallation()
  const current = currentRelease(installation)
  const service = openService(process.env)
  const { open, last } = readState(installation)
  const units = service.units.map(async (unit) => ({ unit, isRunning: await service.isRunning(unit) }))
  return {
    version: versionOf(installation, current),
    releases: listReleases(installation).map((name) => ({ name, isCurrent: name === current })),
    units: await Promise.all(units),
    isReady: await isReady(readyUrlOf(process.env)),
    /** Null if the database can't be reached. */
    database: await readDatabase().catch(() => null),
    lastUpgrade: last ? { from: last.from, to: last.to, at: last.doneAt } : null,
    interrupted: open ? { from: open.from, to: open.to, step: open.step } : null,
  }
}

async function readDatabase() {
  const migration = (await readApplied()).at(-1) ?? null
  return withDatabase(async (db) => {
    const { doneAt, hasFailedSince } = await findLastBackup(db)
    return {
      migration,
      lastBackup: doneAt?.toISOString() ?? null,
      hasBackupFailedSince: hasFailedSince,
      maintenanceSince: await readMaintenance(db),
      keptSchemas: await listKeptSchemas(db),
    }
  })
}

/** Null if maintenance is off, or if this database has no such state. */
async function readMaintenance(db: Database): Promise<string | null> {
  const found = await sql<{ isThere: boolean }>`
    select to_regclass('maintenance') is not null as "isThere"`.execute(db)
  if (!found.rows[0]!.isThere) return null
  const { rows } = await sql<{ since: Date }>`select since from maintenance`.execute(db)
  return rows[0]?.since.toISOString() ?? null
}

/** What a rollback left. It contains personal data. */
async function listKeptSchemas(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where starts_with(nspname, 'before_rollback_') order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

function describeStatus({ version, releases, units, isReady: isUp, database, ...upgrades }: Status): string {
  const { lastUpgrade, interrupted } = upgrades
  const lines: [string, string][] = [
    ['Version', version],
    ...units.map(({ unit, isRunning }): [string, string] => [
      `Service ${unit}`,
      isRunning ? 'running' : 'stopped',
    ]),
    ['Ready', isUp ? 'yes' : 'no'],
    ...describeDatabase(database),
    ...releases.map(({ name, isCurrent }): [string, string] => [
      'Release',
      isCurrent ? `${name} (current)` : name,
    ]),
  ]
  if (lastUpgrade) lines.push(['Last upgrade', `${lastUpgrade.at}, from ${lastUpgrade.from}`])
  if (interrupted)
    lines.push([
      'Interrupted',
      `the change from ${interrupted.from} to ${interrupted.to}; run coin upgrade or coin rollback`,
    ])
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

function describeDatabase(database: Status['database']): [string, string][] {
  if (!database) return [['Database', 'can’t be reached']]
  const { migration, lastBackup, hasBackupFailedSince, maintenanceSince, keptSchemas } = database
  return [
    ['Migration', migration ?? 'none'],
    ['Last backup', `${lastBackup ?? 'none'}${hasBackupFailedSince ? ' (the latest attempt failed)' : ''}`],
    ['Maintenance', maintenanceSince ? `on since ${maintenanceSince}` : 'off'],
    ...keptSchemas.map((name): [string, string] => ['Kept schema', name]),
  ]
}
