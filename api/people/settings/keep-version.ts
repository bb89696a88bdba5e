import { changesBetween, type FlatSettings, type SettingSubject } from '#contract/people/settings.ts'
import type { Tx } from '../../platform/db/database.ts'
import { findLatestVersion, insertVersion } from './setting-version.queries.ts'

/**
 * Stores a change as a version. If the state before it differs from the last version, the system had set it at startup
 * or before versions existed: that state becomes a version too, so that it can be restored. The caller holds the lock
 * of its subject.
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
