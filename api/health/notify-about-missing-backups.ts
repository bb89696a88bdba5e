import { DAY } from '#contract/platform/durations.ts'
import { listActiveAdmins } from '../people/members/member.queries.ts'
import { findLastBackup, listBackupRuns } from '../platform/backup/backup-run.queries.ts'
import { isBackupMissing } from '../platform/backup/backup-schedule.ts'
import { transaction } from '../platform/db/database.ts'
import { sendMail } from '../platform/mail/send-mail.ts'
import type { Services } from '../platform/services.ts'
import { healthLink } from '../platform/site-links.ts'
import { hasRecentMail, lockBackupNotice } from './health.queries.ts'

const kind = 'staff-backup-missing'

/**
 * Emails every administrator once a day while backups are missing. An installation without a schedule that never made a
 * backup may use other tools.
 */
export const notifyAboutMissingBackups = ({
  db,
  keys,
  config,
}: Pick<Services, 'db' | 'keys' | 'config'>): Promise<void> =>
  transaction(db, async (db) => {
    if (!config.isProduction && !config.backupSchedule) return
    const { now } = await listBackupRuns(db)
    if (!isBackupMissing(await findLastBackup(db), now, config.backupSchedule)) return
    await lockBackupNotice(db)
    if (await hasRecentMail(db, kind, DAY)) return
    for (const admin of await listActiveAdmins(db))
      await sendMail(db, keys, admin, kind, { link: healthLink(config) })
  })
