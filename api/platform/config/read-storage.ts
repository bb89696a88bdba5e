import { DAY } from '#contract/platform/durations.ts'
import type { SettingReader } from './setting-reader.ts'

/** Reads where files and backups are stored. */
export function readStorage({ given, refuse, url, wholeNumber }: SettingReader) {
  const storageUrl = url('STORAGE_URL', ['s3', 'http', 'https'])
  const backupTo = given('BACKUP_TO')
  if (backupTo && backupTo === storageUrl)
    refuse('BACKUP_TO', 'must be a different place from STORAGE_URL, so that both can’t be lost together')
  return {
    storageUrl,
    backupTo,
    backupRecipient: readRecipient(given('BACKUP_RECIPIENT'), refuse),
    backupIdentity: given('BACKUP_IDENTITY'),
    backupKeep: wholeNumber('BACKUP_KEEP_DAYS', 30, 1, 36_500) * DAY,
  }
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
