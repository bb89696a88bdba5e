import { changesBetween, type FlatSettings, type SettingSubject } from '#contract/settings.ts'
import type { Tx } from '../db/database.ts'

export type SampleVersion = {
  at: number
  subject: SettingSubject
  by: string | null
  before: FlatSettings
  after: FlatSettings
}

export async function insertSampleVersions(db: Tx, versions: readonly SampleVersion[]): Promise<void> {
  await db
    .insertInto('setting_version')
    .values(
      versions.map(({ at, subject, by, before, after }) => ({
        at: new Date(at),
        subject,
        by_member_id: by,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        changes: JSON.stringify(changesBetween(before, after)),
      })),
    )
    .execute()
}
