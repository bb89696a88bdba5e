import { roundNamesIn } from '#contract/money/flat-sale.ts'
import type { FlatSettings, SettingChange, SettingVersion } from '#contract/people/settings.ts'
import type { VersionRow } from './setting-version.queries.ts'

export const presentVersion = (row: VersionRow): SettingVersion => ({
  id: row.id,
  subject: row.subject,
  at: row.at.toISOString(),
  by: presentWho(row.by_member_id, row.author_name),
  confirmedBy: presentWho(row.confirmed_by_member_id, row.second_name),
  restoredId: row.restored_id,
  rounds: roundNamesIn(row.after as FlatSettings, row.changes as SettingChange[]),
  changes: row.changes as SettingChange[],
})

export const presentWho = (id: string | null, name: string | null) =>
  id === null ? null : { id, name: name ?? '' }
