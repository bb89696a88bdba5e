import type { api } from '#contract/api.ts'
import { appOfFlat } from '#contract/people/flat-app.ts'
import { saleOfFlat } from '#contract/money/flat-sale.ts'
import type { FlatSettings } from '#contract/people/settings.ts'
import { saveApp } from '../../people/apps/save-app.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { Refused } from '../../platform/refused.ts'
import { findVersion } from '../../people/settings/setting-version.queries.ts'
import { saveSale } from './save-sale.ts'

export const restoreSettingVersion: Handler<typeof api.restoreSettingVersion> = async (
  { params, body: { lastUpdated, confirmedRates } },
  context,
) => {
  return transaction(context.db, async (db) => {
    const version = await findVersion(db, params.id)
    if (!version) throw new Refused('not_found')
    const flat = version.after as FlatSettings
    const of = { lastUpdated, restoredId: version.id }
    if (version.subject === 'sale') return saveSale(db, context, saleOfFlat(flat), { ...of, confirmedRates })
    await saveApp(db, context, appOfFlat(flat), of)
    return { isProposed: false }
  })
}
