import type { Module } from '../../platform/module.ts'
import { updateAppRecord, presentApp, presentRecord } from './save-app.ts'
import type { api } from '#contract/api.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { findAppByFullName, getApp } from './app.queries.ts'

const findApp: Handler<typeof api.findApp> = async ({ body }, { db }) => {
  const row = await findAppByFullName(db, body.fullName)
  if (!row) throw new Refused('not_found')
  return presentApp(row)
}

const getAppRecord: Handler<typeof api.getAppRecord> = async (_, { db, config }) =>
  presentRecord(await getApp(db, config.appId))

/** The installation's own app profile. */
export const apps = { calls: { findApp, getAppRecord, updateAppRecord } } satisfies Module
