import { changesBetween, type FlatSettings, type SettingSubject } from '#contract/settings.ts'
import type { Tx } from '../db/database.ts'
import { findLatestVersion, insertVersion } from './setting-version.queries.ts'

/**
 * Keeps a change. What was there before it and is not the end of the last version was set by the program itself, at a start or
 * before changes were kept: it becomes a version too, so that it can be gone back to. The caller holds the lock of its subject.
 */
export async function keepVersion(
  db: Tx,
  version: {
    subject: SettingSubject
    by: string
    confirmedBy?: string | null
    restoredId?: string | null
    before: FlatSettings
    after: FlatSettings
  },
): Promise<void> {
  const { subject, before, after } = version
  const latest = (await findLatestVersion(db, subject))?.after as FlatSettings | undefined
  const unseen = latest ? changesBetween(latest, before) : []
  if (!latest || unseen.length > 0)
    await insertVersion(db, { subject, by: null, before: latest ?? before, after: before, changes: unseen })
  await insertVersion(db, { ...version, changes: changesBetween(before, after) })
}
