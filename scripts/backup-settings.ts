import { readFileSync } from 'node:fs'
import { isIdentity, isRecipient } from '#api/platform/backup/age.ts'
import { readConfig, type Config } from '#api/platform/config/config.ts'
import { openBackupTarget } from '#api/platform/files/open-store.ts'
import type { FileStore } from '#api/platform/files/file-store.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { commandLine } from '#api/platform/command-line.ts'

/** A command does not run as a production server, so a missing key is no error: it may be what is being restored. */
export const readSettings = (): Config => readConfig({ ...process.env, NODE_ENV: undefined })

export function targetOf({ backupTo }: Config): FileStore {
  if (!backupTo) throw new StartRefused('Set BACKUP_TO to the directory or bucket for backups.')
  return openBackupTarget(backupTo)
}

export function recipientOf({ backupRecipient }: Config): string {
  if (backupRecipient && isRecipient(backupRecipient)) return backupRecipient
  throw new StartRefused(
    `BACKUP_RECIPIENT must be a public key (age1…). To create a key pair, run ${commandLine('backup', 'key FILE')}.`,
  )
}

/** Returns the secret itself, or reads it from a file written by `age-keygen`. */
export function identityOf({ backupIdentity }: Config): string | undefined {
  if (!backupIdentity) return undefined
  const lines = isIdentity(backupIdentity) ? [backupIdentity] : readLines(backupIdentity)
  const found = lines.map((line) => line.trim()).find(isIdentity)
  if (found) return found
  throw new StartRefused('BACKUP_IDENTITY must be AGE-SECRET-KEY-1… or a file that contains it.')
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    // The message omits the file name, because it may be a mistyped secret.
    throw new StartRefused(
      `The BACKUP_IDENTITY file can’t be read (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
}
