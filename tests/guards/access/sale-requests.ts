import brand from '#content/brand.json' with { type: 'json' }
import type { Api, EndpointName } from '#contract/api.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { endProposal, insertProposal } from '#api/sale/sale-proposal.queries.ts'
import { readTerms } from '#api/sale/read-sale.ts'
import { findSale } from '#api/sale/sale.queries.ts'
import { findLatestVersion } from '#api/settings/setting-version.queries.ts'
import { keepVersion } from '#api/settings/keep-version.ts'
import { flattenSale } from '#contract/flat-sale.ts'
import { aSale, aSignedInMember, saleSettings } from '#tests/builders.ts'
import type { Scene } from './requests.ts'

const aRecord = {
  name: 'Sample coin',
  fullName: brand.name,
  contact: 'hello@example.org',
  coins: [{ symbol: 'SMP' }],
  docs: [],
}

async function aProposal({ started }: Scene): Promise<string> {
  await aSale(started)
  const { db } = started.services
  const proposer = await aSignedInMember(started, { manage_coins: 2 })
  await endProposal(db, { by: null, outcome: 'overtaken' })
  const settings = { ...(await readTerms(db)), quoteMinutes: 20 }
  await insertProposal(db, { by: proposer.id, settings, changes: [], restoredId: null })
  // Where staff need a factor, the author's approval would not count, which is not what this test is about.
  const { id } = await db
    .selectFrom('sale_proposal')
    .select('id')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return id
}

async function aVersion({ started }: Scene): Promise<string> {
  const { db } = started.services
  await aSale(started)
  const before = flattenSale(await readTerms(db))
  const by = await aSignedInMember(started, { manage_coins: 2 })
  await keepVersion(db, { subject: 'sale', by: by.id, before, after: { ...before, quoteMinutes: '30' } })
  return (await findLatestVersion(db, 'sale'))!.id
}

/** The sale settings and the app profile, their history, and pending proposals. */
export const saleRequests = {
  getAppRecord: async () => ({}),
  updateAppRecord: async () => ({ body: aRecord }),
  getSaleSettings: async () => ({}),
  updateSaleSettings: async () => ({ body: saleSettings() }),
  confirmSaleProposal: async (scene) => ({ params: { id: await aProposal(scene) }, body: {} }),
  declineSaleProposal: async (scene) => ({
    params: { id: await aProposal(scene) },
    body: { reason: 'The address is not ours.' },
  }),
  listFourEyes: async () => ({}),
  listAddressChanges: async () => ({}),
  listSettingVersions: async () => ({ query: { field: 'rate' as const, from: '2036-05-01' } }),
  exportSettingVersions: async () => ({ query: { subject: 'sale' as const } }),
  getSettingVersion: async (scene) => ({ params: { id: await aVersion(scene) } }),
  restoreSettingVersion: async (scene) => {
    const id = await aVersion(scene)
    const sale = await findSale(scene.started.services.db)
    return { params: { id }, body: { lastUpdated: sale!.updated_at.toISOString() } }
  },
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
