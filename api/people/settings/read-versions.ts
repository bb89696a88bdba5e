import {
  settingVersions,
  type FlatSettings,
  type SettingChange,
  type SettingVersion,
} from '#contract/people/settings.ts'
import type { CsvColumns } from '../../platform/http/csv-download.ts'
import { serveResource } from '../../platform/resource/serve-resource.ts'
import { presentVersion } from './present-version.ts'
import { findLatestVersion, findVersion, listVersions } from './setting-version.queries.ts'

type Line = { version: SettingVersion; change: SettingChange | undefined }

const columns: CsvColumns<Line> = [
  ['id', ({ version }) => version.id],
  ['at', ({ version }) => version.at],
  ['by', ({ version }) => version.by?.name ?? ''],
  ['confirmedBy', ({ version }) => version.confirmedBy?.name ?? ''],
  ['subject', ({ version }) => version.subject],
  ['restoredId', ({ version }) => version.restoredId ?? ''],
  ['setting', ({ change }) => change?.path ?? ''],
  ['from', ({ change }) => change?.from ?? ''],
  ['to', ({ change }) => change?.to ?? ''],
]

/** Returns the lines of a version. One without a change, such as the first of a subject, has one line as well. */
function linesOf(version: SettingVersion): Line[] {
  const changes = version.changes.length === 0 ? [undefined] : version.changes
  return changes.map((change) => ({ version, change }))
}

export const {
  list: listSettingVersions,
  file: exportSettingVersions,
  get: getSettingVersion,
} = serveResource(settingVersions, {
  read: ({ db }, filters, page) => listVersions(db, filters, page),
  present: (_, rows) => rows.map(presentVersion),
  file: { name: 'sale-changes', columns, lines: (_, rows) => rows.map(presentVersion).flatMap(linesOf) },
  detail: async ({ db }, id) => {
    const row = await findVersion(db, id)
    if (!row) return undefined
    const latest = await findLatestVersion(db, row.subject)
    const state = Object.entries(row.after as FlatSettings).map(([path, value]) => ({ path, value }))
    return { ...presentVersion(row), state, isCurrent: latest?.id === row.id }
  },
})
