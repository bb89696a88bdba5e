import { afterAll, describe, expect, test } from 'vitest'
import { api, type EndpointName } from '#contract/api.ts'
import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { tokenReads, tokenWrites } from '#contract/token-endpoints.ts'
import { aToken, by } from '#tests/api-tokens.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { expectations } from './access/expectations.ts'
import { aStoredMember } from './access/members-in-stock.ts'
import { requests } from './access/requests.ts'

const names = Object.keys(api) as EndpointName[]

/** A token with exactly one level, whose owner has all of them and is also an administrator. */
const tokenKinds = [
  'news1',
  'news2',
  'employee1',
  'employee2',
  'finance1',
  'finance2',
  'coins1',
  'coins2',
] as const
type TokenKind = (typeof tokenKinds)[number]

const news1 = ['news1', 'news2'] as const
const news2 = ['news2'] as const
const employee1 = ['employee1', 'employee2'] as const
const employee2 = ['employee2'] as const
const finance1 = ['finance1', 'finance2'] as const
const finance2 = ['finance2'] as const
const coins1 = ['coins1', 'coins2'] as const

type Expected = { may: readonly TokenKind[]; writes?: true }

/**
 * The endpoints that tokens can call, copied by hand from decision 0073 and not from the contract that it checks. Every
 * endpoint that is not listed is for people.
 */
const machineExpectations: { readonly [Name in EndpointName]?: Expected } = {
  checkHealth: { may: tokenKinds },
  checkReadiness: { may: tokenKinds },
  readWords: { may: tokenKinds },
  readFacts: { may: tokenKinds },
  readBrand: { may: tokenKinds },
  readPublicSale: { may: tokenKinds },
  findApp: { may: tokenKinds },
  listCategories: { may: tokenKinds },
  listAnnouncements: { may: tokenKinds },
  browseAnnouncements: { may: tokenKinds },
  searchSite: { may: tokenKinds },
  getPost: { may: tokenKinds },
  listPostAuthors: { may: tokenKinds },
  browsePostsByAuthor: { may: tokenKinds },
  listPostAddresses: { may: tokenKinds },
  listPublishedVersions: { may: tokenKinds },
  listSigningKeys: { may: tokenKinds },
  listAmbassadors: { may: tokenKinds },
  getAmbassador: { may: tokenKinds },
  listNeedsAttention: { may: tokenKinds },
  readDashboardMetrics: { may: tokenKinds },
  listAddressChanges: { may: tokenKinds },

  listNewsroomPosts: { may: news1 },
  exportNewsroomPosts: { may: news1 },
  readReads: { may: news1 },
  getNewsroomPost: { may: news1 },
  listPostVersions: { may: news1 },
  getPostVersion: { may: news1 },
  listContentItems: { may: news1 },
  getContentItem: { may: news1 },
  listContentReleases: { may: news1 },
  listContentVersions: { may: news1 },
  getContentVersion: { may: news1 },
  getContentShape: { may: news1 },
  findContent: { may: news1 },
  createAnnouncement: { may: news2, writes: true },
  updateAnnouncement: { may: news2, writes: true },
  uploadPicture: { may: news2, writes: true },
  publishPost: { may: news2, writes: true },
  schedulePost: { may: news2, writes: true },
  unpublishPost: { may: news2, writes: true },
  linkTranslations: { may: news2, writes: true },
  unlinkTranslation: { may: news2, writes: true },

  findMember: { may: employee1 },
  findMembers: { may: employee1 },
  listMembers: { may: employee1 },
  getMember: { may: employee1 },
  listConsoleMembers: { may: employee1 },
  getConsoleMember: { may: employee1 },
  readMemberTimeline: { may: employee1 },
  listMails: { may: employee1 },
  readMailFigures: { may: employee1 },
  listMailTemplates: { may: employee1 },
  getMailTemplate: { may: employee1 },
  listConsoleAmbassadors: { may: employee1 },
  getConsoleAmbassador: { may: employee1 },
  listAmbassadorApplications: { may: employee1 },
  readApplicationBoard: { may: employee1 },
  listApplicationCountries: { may: employee1 },
  getAmbassadorApplication: { may: employee1 },
  addMemberNote: { may: employee2, writes: true },
  addApplicationNote: { may: employee2, writes: true },
  reviewAmbassadorApplication: { may: employee2, writes: true },

  getOrder: { may: finance1 },
  listOrders: { may: finance1 },
  findOrders: { may: finance1 },
  getOrderPayment: { may: finance1 },
  listConsoleOrders: { may: finance1 },
  readOrderTotals: { may: finance1 },
  listDeliveries: { may: finance1 },
  listDeliveryRounds: { may: finance1 },
  readDeliveryTotals: { may: finance1 },
  readMemberOrderTotals: { may: finance1 },
  getConsoleOrder: { may: finance1 },
  listPayouts: { may: finance1 },
  getPayout: { may: finance1 },
  getPayoutHold: { may: finance1 },
  recordPayoutTransactions: { may: finance2, writes: true },
  getKyc: { may: finance1 },
  listKyc: { may: finance1 },
  listKycOfMember: { may: finance1 },
  findKyc: { may: finance1 },
  getKycHistory: { may: finance1 },
  listKycCases: { may: finance1 },
  listKycReasons: { may: finance1 },
  readKycStatistics: { may: finance1 },
  createOrder: { may: finance2, writes: true },

  getAppRecord: { may: coins1 },
  getSaleSettings: { may: coins1 },
  listSaleRounds: { may: coins1 },
  getSaleRound: { may: coins1 },
  listSettingVersions: { may: coins1 },
  getSettingVersion: { may: coins1 },
}

const open = names.filter((name) => machineExpectations[name])
const started = await startApi({}, afterAll)
const allRights = {
  is_write_access_admin: true,
  manage_news: 2,
  manage_employee: 2,
  manage_finance: 2,
  manage_coins: 2,
}

const maker = await aStoredMember(started, allRights)
const tokenOf = async (levels: Record<string, number>, isReadOnly = false) =>
  (await aToken(started, maker.id, { levels, isReadOnly })).secret
const tokens = await Promise.all(
  tokenKinds.map(async (kind) => ({
    kind,
    secret: await tokenOf({ [kind.slice(0, -1)]: Number(kind.at(-1)) }),
  })),
)
const all = { news: 2, employee: 2, finance: 2, coins: 2 }
const [strongest, readsOnly] = [await tokenOf(all), await tokenOf(all, true)]

async function inputFor(name: EndpointName): Promise<CallOf<Endpoint>> {
  const owner = await aStoredMember(started)
  return (await requests[name]({ started, actor: maker, owner })) as CallOf<Endpoint>
}
async function attempt(name: EndpointName, input: CallOf<Endpoint>, secret: string) {
  const { status, problem } = await started.call(api[name], input, by(secret))
  return status < 300 ? status : problem.code
}

describe('every token gets what the table says from', () => {
  test.for(open)('%s', async (name) => {
    const { may, writes } = machineExpectations[name]!
    const isPublic = api[name].access.who === 'anyone'
    // Levels are checked before anything else, so rejected requests can share an input.
    let input = await inputFor(name)
    const outcomes: Record<string, unknown> = {}
    for (const { kind, secret } of isPublic ? tokens.slice(0, 1) : tokens) {
      outcomes[kind] = await attempt(name, input, secret)
      if (may.includes(kind) && writes) input = await inputFor(name)
    }
    const asked = isPublic ? tokenKinds.slice(0, 1) : tokenKinds
    expect(outcomes).toEqual(
      Object.fromEntries(
        asked.map((kind) => [kind, may.includes(kind) ? expectations[name].success : 'forbidden']),
      ),
    )
    const readOnly = await attempt(name, input, readsOnly)
    expect(readOnly).toBe(writes ? 'token_read_only' : expectations[name].success)
  })
})

test('every other call is closed to a token with all levels of an administrator', async () => {
  const closed = names.filter((name) => !machineExpectations[name])
  const outcomes = await Promise.all(
    closed.map(async (name) => {
      const { method, path } = api[name] as Endpoint
      const answer = await started.send({
        method,
        url: `/v2/${path.replaceAll(/:\w+/g, 'sample')}`,
        headers: { 'x-app-id': started.services.config.appId, ...by(strongest).headers },
        ...(method === 'POST' ? { payload: {} } : {}),
      })
      return [name, answer.statusCode, answer.json<{ code: string }>().code]
    }),
  )
  expect(outcomes).toEqual(closed.map((name) => [name, 403, 'person_required']))
  expect(closed.length).toBeGreaterThan(150)
})

test('each endpoint that tokens can call is listed once', () => {
  const listed = [...tokenReads, ...tokenWrites]
  expect(listed.filter((name, at) => listed.indexOf(name) !== at)).toEqual([])
})
