import type { Api, EndpointName } from '#contract/api.ts'
import type { ChannelStatus } from '#contract/publishing/console-official.ts'
import type { CallOf } from '#contract/platform/endpoint.ts'
import { getKnown, insertKnown } from '#api/publishing/official/known-entry.queries.ts'
import type { Scene } from './requests.ts'
import { anyone, anyStaff, coins2, news2, signedIn, type Expectation } from './permissions.ts'

/**
 * Editors maintain impersonation entries. Official entries are maintained by those who maintain the sale, because a
 * wrong one could divert money.
 */
export const officialExpectations = {
  checkOfficial: { call: 'POST official/check', success: 200, may: anyone },
  findOwnOrderByAddress: { call: 'POST official/own-order', success: 200, may: signedIn },
  readOfficialList: { call: 'GET official/list', success: 200, may: anyone },
  listChannels: { call: 'GET admin/official/entries', success: 200, may: anyStaff },
  exportChannels: { call: 'GET admin/official/entries/csv', success: 200, may: anyStaff },
  listOfficialSources: { call: 'GET admin/official/sources', success: 200, may: anyStaff },
  addImpersonator: { call: 'POST admin/official/false', success: 201, may: news2 },
  updateImpersonator: { call: 'POST admin/official/false/:id', success: 200, may: news2 },
  withdrawImpersonator: { call: 'POST admin/official/false/:id/withdraw', success: 200, may: news2 },
  addOfficialEntry: { call: 'POST admin/official/official', success: 201, may: coins2 },
  changeOfficialEntry: { call: 'POST admin/official/official/:id', success: 200, may: coins2 },
  withdrawOfficialEntry: { call: 'POST admin/official/official/:id/withdraw', success: 200, may: coins2 },
} satisfies { [Name in EndpointName]?: Expectation }

let made = 0
const aValue = () => `sample${++made}.example`
const given = () => ({ kind: 'domain' as const, value: aValue(), note: 'A sample' })

async function anEntry({ started: { services } }: Scene, standing: ChannelStatus) {
  const value = aValue()
  const columns = { kind: 'domain' as const, value, key: `domain:${value}`, note: 'A sample', evidence: '' }
  const id = await insertKnown(services.db, { ...columns, standing, by: null })
  return { id, lastUpdated: (await getKnown(services.db, id)).updated_at.toISOString() }
}

async function aChange(scene: Scene, standing: ChannelStatus) {
  const { id, lastUpdated } = await anEntry(scene, standing)
  return { params: { id }, body: { ...given(), lastUpdated } }
}

export const officialRequests = {
  checkOfficial: async () => ({ body: { text: 'https://sample.example' } }),
  findOwnOrderByAddress: async () => ({ body: { text: '0x52908400098527886E0F7030069857D2E4169EE7' } }),
  readOfficialList: async () => ({}),
  listChannels: async () => ({ query: { standing: 'false' as const } }),
  exportChannels: async () => ({ query: {} }),
  listOfficialSources: async () => ({}),
  addImpersonator: async () => ({ body: given() }),
  updateImpersonator: (scene) => aChange(scene, 'false'),
  withdrawImpersonator: async (scene) => ({ params: { id: (await anEntry(scene, 'false')).id }, body: null }),
  addOfficialEntry: async () => ({ body: given() }),
  changeOfficialEntry: (scene) => aChange(scene, 'official'),
  withdrawOfficialEntry: async (scene) => ({
    params: { id: (await anEntry(scene, 'official')).id },
    body: null,
  }),
} satisfies { [Name in EndpointName]?: (scene: Scene) => Promise<CallOf<Api[Name]>> }
