import type { ChainWatcher } from '#contract/money/chain-payments.ts'
import { MINUTE, SECOND } from '#contract/platform/durations.ts'
import type { HealthJob } from '#contract/console/console-health.ts'
import { readMonitors } from '../../money/chain-payments/list-watchers.ts'
import { readOutbox, readQueues, readServer } from '../health.queries.ts'
import { findLastBackup } from '../../platform/backup/backup-run.queries.ts'
import { isBackupMissing } from '../../platform/backup/backup-schedule.ts'
import { findMailPause } from '../../platform/mail/pause/mail-pause.queries.ts'
import { readJobs } from '../read-jobs.ts'
import { listAlive } from '../../platform/jobs/job.queries.ts'
import type { Services } from '../../platform/services.ts'
import { readWebhookStanding, type WebhookStanding } from '../../integrations/webhooks/webhook.queries.ts'

export type Measures = {
  server: Awaited<ReturnType<typeof readServer>>
  outbox: Awaited<ReturnType<typeof readOutbox>>
  queues: Awaited<ReturnType<typeof readQueues>>
  webhooks: WebhookStanding
  jobs: HealthJob[]
  instances: number
  lastBackup: Date | undefined
  isBackupMissing: boolean
  isMailPaused: boolean
  chains: ChainWatcher[]
}

/**
 * Collectors wait no longer than this: the metrics of the process matter most while the database hangs. In
 * milliseconds.
 */
const answerTimeMax = 2 * SECOND
const patience = 10 * MINUTE

/** Database metrics of the whole installation; `undefined` if it does not answer. */
export async function readMeasures({
  db,
  config,
  log,
}: Pick<Services, 'db' | 'config' | 'log'>): Promise<Measures | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), answerTimeMax)
  })
  const read = async (): Promise<Measures> => {
    const backup = await findLastBackup(db)
    return {
      server: await readServer(db),
      outbox: await readOutbox(db),
      queues: await readQueues(db, patience),
      webhooks: await readWebhookStanding(db),
      jobs: await readJobs(db),
      instances: (await listAlive(db)).length,
      lastBackup: backup.doneAt,
      isBackupMissing: isBackupMissing(backup, new Date(), config.backupSchedule),
      isMailPaused: (await findMailPause(db)) !== undefined,
      chains: await readMonitors(db, config),
    }
  }
  try {
    return await Promise.race([read(), late])
  } catch (error) {
    log.warn({ code: (error as { code?: string }).code }, 'the database metrics could not be read')
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
