import type { api } from '#contract/api.ts'
import type { FlatSettings } from '#contract/settings.ts'
import type { Handler } from '../http/handler.ts'
import { Refused } from '../refused.ts'
import { presentVersion } from './present-version.ts'
import { findLatestVersion, findVersion, listVersions } from './setting-version.queries.ts'

export const listSettingVersions: Handler<typeof api.listSettingVersions> = async (
  { query: { limit, after, sort, ...filter } },
  { db, answer },
) => {
  const { rows, next } = await listVersions(db, filter, { limit, after, sort })
  answer.setNext(next)
  return rows.map(presentVersion)
}

export const getSettingVersion: Handler<typeof api.getSettingVersion> = async ({ params }, { db }) => {
  const row = await findVersion(db, params.id)
  if (!row) throw new Refused('not_found')
  const latest = await findLatestVersion(db, row.subject)
  const state = Object.entries(row.after as FlatSettings).map(([path, value]) => ({ path, value }))
  return { ...presentVersion(row), state, isCurrent: latest?.id === row.id }
}
