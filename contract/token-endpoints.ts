import type { EndpointName } from './api.ts'

/**
 * Endpoints that API tokens can call if their levels suffice. All others are for people: a new endpoint is closed to
 * tokens until it is added here. Never add sign-in, endpoints about the caller's own account, tokens, rights, identity
 * photos, four-eyes approvals, or endpoints that always require step-up authentication. See decision 0073.
 */
export const tokenReads = [
  'checkHealth',
  'checkReadiness',
  'readWords',
  'readFacts',
  'readBrand',
  'readPublicSale',
  'findApp',
  'listCategories',
  'listAnnouncements',
  'browseAnnouncements',
  'searchSite',
  'getPost',
  'listPostAuthors',
  'browsePostsByAuthor',
  'listPostAddresses',
  'listPublishedVersions',
  'listSigningKeys',
  'listAmbassadors',
  'getAmbassador',
  'listNeedsAttention',
  'readDashboardMetrics',

  'listNewsroomPosts',
  'exportNewsroomPosts',
  'getNewsroomPost',
  'readReads',
  'listPostVersions',
  'getPostVersion',
  'listContentItems',
  'getContentItem',
  'listContentReleases',
  'listContentVersions',
  'getContentVersion',
  'getContentShape',
  'findContent',

  'findMember',
  'findMembers',
  'listMembers',
  'getMember',
  'listConsoleMembers',
  'getConsoleMember',
  'readMemberTimeline',
  'listMails',
  'readMailFigures',
  'listMailTemplates',
  'getMailTemplate',
  'listConsoleAmbassadors',
  'getConsoleAmbassador',
  'listAmbassadorApplications',
  'readApplicationBoard',
  'listApplicationCountries',
  'getAmbassadorApplication',

  'getOrder',
  'listOrders',
  'findOrders',
  'getOrderPayment',
  'listConsoleOrders',
  'readOrderTotals',
  'readMemberOrderTotals',
  'getConsoleOrder',
  'listDeliveries',
  'listDeliveryRounds',
  'readDeliveryTotals',
  'listPayouts',
  'getPayout',
  'getPayoutHold',
  'getKyc',
  'listKyc',
  'listKycOfMember',
  'findKyc',
  'getKycHistory',
  'listKycCases',
  'listKycReasons',
  'readKycStatistics',

  'getAppRecord',
  'getSaleSettings',
  'listSaleRounds',
  'getSaleRound',
  'listAddressChanges',
  'listSettingVersions',
  'getSettingVersion',
] as const satisfies readonly EndpointName[]

/** Not available to read-only tokens. */
export const tokenWrites = [
  'createAnnouncement',
  'updateAnnouncement',
  'uploadPicture',
  'publishPost',
  'schedulePost',
  'unpublishPost',
  'linkTranslations',
  'unlinkTranslation',

  'addMemberNote',
  'addApplicationNote',
  'recordPayoutTransactions',
  'reviewAmbassadorApplication',

  // For other members, and never as completed, which requires step-up authentication.
  'createOrder',
] as const satisfies readonly EndpointName[]

export type TokenUse = 'reads' | 'writes'

const uses: ReadonlyMap<string, TokenUse> = new Map([
  ...tokenReads.map((name) => [name, 'reads'] as const),
  ...tokenWrites.map((name) => [name, 'writes'] as const),
])

/** How a token can use the endpoint; undefined if it cannot call it. */
export const tokenUseOf = (name: string): TokenUse | undefined => uses.get(name)
