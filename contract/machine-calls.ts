import type { EndpointName } from './api.ts'

/**
 * What API tokens may call, where their levels suffice. Whatever is not named here is for people: a new call is closed to
 * tokens until somebody thinks about it. Never here: signing in and everything about an own account, tokens, rights,
 * identity photos, what takes two persons, and what asks for a fresh proof in every case. Decision 0073 says why.
 */
export const machineReads = [
  'checkHealth',
  'checkReadiness',
  'readWords',
  'readFacts',
  'readBrand',
  'findApp',
  'listCategories',
  'listAnnouncements',
  'browseAnnouncements',
  'getPost',
  'listPostAddresses',
  'listPublishedVersions',
  'listSigningKeys',
  'listAmbassadors',
  'getAmbassador',
  'listWaiting',
  'readConsoleFigures',

  'listNewsroomPosts',
  'exportNewsroomPosts',
  'getNewsroomPost',
  'listPostVersions',
  'getPostVersion',
  'listContentPieces',
  'getContentPiece',
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
  'getConsoleOrder',
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
  'listAddressChanges',
  'listSettingVersions',
  'getSettingVersion',
] as const satisfies readonly EndpointName[]

/** Closed to tokens that only read. */
export const machineWrites = [
  'createAnnouncement',
  'updateAnnouncement',
  'uploadPicture',
  'publishPost',
  'schedulePost',
  'unpublishPost',
  'linkPosts',
  'unlinkPost',

  'addMemberNote',
  'addApplicationNote',
  'reviewAmbassadorApplication',

  // For others, and never as completed: that asks for a fresh proof.
  'createOrder',
] as const satisfies readonly EndpointName[]

export type MachineUse = 'reads' | 'writes'

const uses: ReadonlyMap<string, MachineUse> = new Map([
  ...machineReads.map((name) => [name, 'reads'] as const),
  ...machineWrites.map((name) => [name, 'writes'] as const),
])

/** What a token does with the call; undefined where it may not make it. */
export const machineUseOf = (name: string): MachineUse | undefined => uses.get(name)
