import type { EndpointName } from '#contract/api.ts'

/** A token with exactly one level, whose owner has all of them and is also an administrator. */
export const tokenKinds = [
  'news1',
  'news2',
  'employee1',
  'employee2',
  'finance1',
  'finance2',
  'coins1',
  'coins2',
] as const
export type TokenKind = (typeof tokenKinds)[number]

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
export const machineExpectations: { readonly [Name in EndpointName]?: Expected } = {
  checkHealth: { may: tokenKinds },
  checkReadiness: { may: tokenKinds },
  readWords: { may: tokenKinds },
  readFacts: { may: tokenKinds },
  readBrand: { may: tokenKinds },
  findApp: { may: tokenKinds },
  listCategories: { may: tokenKinds },
  listAnnouncements: { may: tokenKinds },
  browseAnnouncements: { may: tokenKinds },
  getPost: { may: tokenKinds },
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
  getConsoleOrder: { may: finance1 },
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
  listSettingVersions: { may: coins1 },
  getSettingVersion: { may: coins1 },
}
