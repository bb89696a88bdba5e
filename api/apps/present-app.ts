import type { App, AppRecord, AppInput } from '#contract/apps.ts'
import type { AppRow } from './app.queries.ts'

export const presentApp = (row: AppRow): App => ({ _id: row.id, ...givenOf(row) })

export const presentRecord = (row: AppRow): AppRecord => ({
  ...givenOf(row),
  isEdited: row.edited_at !== null,
  lastUpdated: row.updated_at.toISOString(),
})

export const givenOf = (row: AppRow): AppInput => ({
  name: row.name,
  fullName: row.full_name,
  contact: row.contact,
  coins: row.coins as App['coins'],
  docs: row.docs as App['docs'],
})
