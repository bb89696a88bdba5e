import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { HOUR, MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { BackupSchedule } from '../config/read-storage.ts'
import type { Tx } from '../db/database.ts'
import { isBucket } from '../files/open-store.ts'
import { findJobTimes } from '../jobs/job.queries.ts'
import { logFailure } from '../jobs/log-failure.ts'
import { recordRun } from '../jobs/record-run.ts'
import { startEvery } from '../jobs/start-every.ts'
import type { Worker } from '../module.ts'
import type { Services } from '../services.ts'
import { findNewestRun, isBackupRunning, listBackupRuns, recordBackupFailure } from './backup-run.queries.ts'
import { nextBackupAt } from './backup-schedule.ts'

const lookEvery = 30 * SECOND
const erasuresEvery = HOUR
const erasuresPause = 5 * MINUTE

type BackupServices = Pick<Services, 'db' | 'config' | 'log' | 'maintenance'>
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Makes the backups of the schedule. Each runs the command of operators in a process of its own, so that requests don't
 * wait for it. The database's lock of backups decides which instance makes it, so it is free again as soon as a process
 * is gone.
 */
export function startBackups(
  services: BackupServices,
  { every = lookEvery, environment = process.env }: { every?: number; environment?: Environment } = {},
): Worker | undefined {
  const { db, config, log } = services
  const { backupSchedule: schedule } = config
  if (!schedule) return undefined
  let running: { end: Promise<void>; kill: () => void } | undefined
  const work = async () => {
    const due = running ? undefined : await findDue(db, schedule)
    if (!due) return
    const command = startCommand(due === 'erasures' ? ['erasures'] : [], environment)
    const end = due === 'erasures' ? followErasures(services, command) : followBackup(services, command)
    running = {
      kill: command.kill,
      end: end
        .catch((error: unknown) => logFailure({ log }, error, 'a backup of the schedule failed'))
        .finally(() => (running = undefined)),
    }
  }
  const clock = startEvery(services, { job: 'backups', every, work, failed: 'backups can’t be scheduled' })
  return {
    async stop() {
      await clock.stop()
      running?.kill()
      await running?.end
    },
  }
}

/** What is due and not running anywhere. A complete backup includes the erasure records. */
async function findDue(db: Tx, schedule: BackupSchedule): Promise<'backup' | 'erasures' | undefined> {
  if (await isBackupRunning(db)) return undefined
  const { runs, now } = await listBackupRuns(db)
  if (nextBackupAt(runs, now, schedule) <= now) return 'backup'
  const isPast = (time: Date | undefined, age: number) => !time || now.getTime() - time.getTime() >= age
  const last = await findJobTimes(db, 'erasureBackups')
  const whole = runs.find(({ failure }) => failure === null)
  const isDue = isPast(last.doneAt, erasuresEvery) && isPast(whole?.doneAt, erasuresEvery)
  return isDue && isPast(last.beganAt, erasuresPause) ? 'erasures' : undefined
}

type Command = {
  /** The exit code or, if it was killed, the signal; undefined if this process ended it. */
  end: Promise<number | string | undefined>
  kill: () => void
}

function startCommand(words: readonly string[], environment: Environment): Command {
  const script = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, 'backup', ...words, '--scheduled'], {
    // The command ends when this process is killed.
    env: { ...environment, ENDS_WITH_PARENT: '1' },
    // If it fails, it prints the reason in one sentence.
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  yieldToRequests(child.pid)
  let isKilled = false
  const end = new Promise<number | string | undefined>((resolve) => {
    child.once('error', ({ name }) => resolve(name))
    child.once('exit', (code, signal) => resolve(isKilled ? undefined : (code ?? signal ?? 'unknown')))
  })
  return {
    end,
    kill: () => {
      isKilled = true
      child.kill()
    },
  }
}

const lowPriority = 10

/** Some systems, such as the sandbox of the systemd unit, don't allow it. */
function yieldToRequests(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority)
  } catch {
    // It then shares the processors equally.
  }
}

/** The command records its runs. One that it couldn't record is recorded here, so that its repetition waits. */
async function followBackup({ db, config, log }: BackupServices, command: Command): Promise<void> {
  const before = await findNewestRun(db)
  const code = await command.end
  if (code === 0 || code === undefined) return
  log.error({ code }, 'a backup failed')
  if ((await findNewestRun(db)) !== before) return
  const place = isBucket(config.backupTo!) ? 'bucket' : 'directory'
  await recordBackupFailure(db, place, `exit code ${code}`)
}

class CommandFailed extends Error {
  override name = 'CommandFailed'
}

async function followErasures({ db }: BackupServices, command: Command): Promise<void> {
  await recordRun(db, 'erasureBackups', async () => {
    if ((await command.end) !== 0) throw new CommandFailed()
  })
}
