import { commandLine } from '#api/platform/command-line.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import type { SettingReader } from './setting-reader.ts'

/** In milliseconds: the length of a period, and the time of day (UTC) at which periods begin. */
export type BackupSchedule = { every: number; at: number }

/** Reads where files and backups are stored. */
export function readStorage(settings: SettingReader) {
  const { given, refuse, url, wholeNumber } = settings
  const storageUrl = url('STORAGE_URL', ['s3', 'http', 'https'])
  const backupTo = given('BACKUP_TO')
  if (backupTo && backupTo === storageUrl)
    refuse('BACKUP_TO', 'must be a different place from STORAGE_URL, so that both can’t be lost together')
  const backupRecipient = readRecipient(given('BACKUP_RECIPIENT'), refuse)
  return {
    storageUrl,
    backupTo,
    backupRecipient,
    backupIdentity: given('BACKUP_IDENTITY'),
    backupKeep: wholeNumber('BACKUP_KEEP_DAYS', 30, 1, 36_500) * DAY,
    backupSchedule: readBackupSchedule(settings, { backupTo, backupRecipient }),
  }
}

/** Undefined if the product makes no backups by itself. */
function readBackupSchedule(
  { refuse, wholeNumber }: SettingReader,
  { backupTo, backupRecipient }: { backupTo: string | undefined; backupRecipient: string | undefined },
): BackupSchedule | undefined {
  const every = wholeNumber('BACKUP_EVERY_HOURS', 0, 0, 168) * HOUR
  const at = wholeNumber('BACKUP_HOUR', 3, 0, 23) * HOUR
  if (every === 0) return undefined
  if (!backupTo || !/^age1[a-z\d]+$/.test(backupRecipient ?? ''))
    refuse(
      'BACKUP_EVERY_HOURS',
      `must be set together with BACKUP_TO and BACKUP_RECIPIENT (age1…); to create a key pair, run ${commandLine('backup', 'key FILE')}`,
    )
  return { every, at }
}

/**
 * The public key of backups. With its secret half here, everyone who can read the settings could read the
 * backups.
 */
function readRecipient(
  given: string | undefined,
  refuse: (name: string, demand: string) => never,
): string | undefined {
  if (!/AGE-SECRET-KEY-/i.test(given ?? '')) return given
  return refuse(
    'BACKUP_RECIPIENT',
    'must be the public key (age1…), not the secret key, which must not be on this machine; if others could read the secret key, create a new pair',
  )
}
