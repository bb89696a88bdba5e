import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { methodPath } from '#contract/money/flat-sale.ts'
import { addressNoticeHours } from '#contract/money/sale-proposals.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { presentVersion } from '../../people/settings/present-version.ts'
import { listVersionsOfAddresses } from '../../people/settings/setting-version.queries.ts'

export const listAddressChanges: Handler<typeof api.listAddressChanges> = async (_, { db }) => {
  const versions = await listVersionsOfAddresses(db, addressNoticeHours * HOUR)
  return versions.map(presentVersion).flatMap(({ id, at, by, confirmedBy, changes }) =>
    changes.flatMap(({ path, from, to }) => {
      const method = methodPath(path)
      const field = method?.field
      if (!method || to === null || (field !== 'receivingAddress' && field !== 'rate')) return []
      const change = { code: method.code, field, from: from ?? '', to }
      return [{ id: `${id} ${path}`, ...change, at, by, confirmedBy }]
    }),
  )
}
