import type { api } from '#contract/api.ts'
import { listedChangesMax, listedTextLengthMax } from '#contract/publishing/console-content.ts'
import type { ContentVersion } from '#contract/publishing/content-versions.ts'
import { changesBetween, type SettingChange } from '#contract/people/settings.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused } from '../../../platform/refused.ts'
import { presentWho } from '../../../people/settings/present-version.ts'
import { baseFiles, flatten } from './content-item.ts'
import {
  findContentVersion,
  listContentVersions as listRows,
  type VersionRow,
} from './content-version.queries.ts'
import { readPublished } from './content-item.queries.ts'
import { publishedValue } from './site-state.ts'

export const listContentVersions: Handler<typeof api.listContentVersions> = async (
  { query },
  { db, answer },
) => {
  const { rows, next } = await listRows(db, query.piece, query)
  answer.setNext(next)
  return rows.map((row) => ({ ...presentVersion(row), changes: cut(row.changes as SettingChange[]) }))
}

export const getContentVersion: Handler<typeof api.getContentVersion> = async ({ params }, { db }) => {
  const row = await findContentVersion(db, params.id)
  if (!row) throw new Refused('not_found')
  const now = publishedValue(baseFiles(), await readPublished(db), row.piece)
  return {
    ...presentVersion(row),
    value: row.value,
    sinceThen: changesBetween(flatten(row.value), flatten(now)),
  }
}

const presentVersion = (row: VersionRow): ContentVersion => ({
  id: row.id,
  piece: row.piece,
  at: row.at.toISOString(),
  by: presentWho(row.by_member_id, row.author_name),
  confirmedBy: presentWho(row.confirmed_by_member_id, row.second_name),
  origin: row.origin,
  restoredId: row.restored_id,
  newVersions: row.new_versions,
  legal: row.legal_versions as ContentVersion['legal'],
  changes: row.changes as SettingChange[],
  changeCount: (row.changes as SettingChange[]).length,
})

const cut = (changes: readonly SettingChange[]): SettingChange[] =>
  changes
    .slice(0, listedChangesMax)
    .map(({ path, from, to }) => ({ path, from: cutText(from), to: cutText(to) }))

const cutText = (text: string | null): string | null =>
  text !== null && text.length > listedTextLengthMax
    ? `${text.slice(0, listedTextLengthMax).toWellFormed()}…`
    : text
