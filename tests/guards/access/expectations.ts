import type { EndpointName } from '#contract/api.ts'
import { contentExpectations } from './content-expectations.ts'

/**
 * The caller's role. `owner` acts on their own record; every role after `other` acts on somebody else's record with exactly
 * the right in its name.
 */
export const roles = [
  'stranger',
  'expired',
  'inactive',
  'owner',
  'other',
  'news1',
  'news2',
  'employee1',
  'employee2',
  'finance1',
  'finance2',
  'coins1',
  'coins2',
  'admin',
] as const
export type Role = (typeof roles)[number]

export type Expectation = {
  /** Method and path below the versioned base, as the contract's document has them. */
  call: string
  success: 200 | 201 | 202
  may: readonly Role[]
  /** The refusal for signed-in callers without the right: `forbidden` by default. */
  otherwise?: 'not_found'
}

const anyone = roles
const signedIn = roles.filter((role) => !['stranger', 'expired', 'inactive'].includes(role))
const owner = ['owner'] as const
const news1 = ['news1', 'news2', 'admin'] as const
const news2 = ['news2', 'admin'] as const
const employee1 = ['employee1', 'employee2', 'admin'] as const
const employee2 = ['employee2', 'admin'] as const
// Being an administrator opens nothing here.
const finance1 = ['finance1', 'finance2'] as const
const finance2 = ['finance2'] as const
const admin = ['admin'] as const
const coins1 = ['coins1', 'coins2'] as const
const coins2 = ['coins2'] as const
/** Any right of the staff, whichever it is. */
const anyStaff = [...news1, ...employee1.slice(0, 2), ...finance1, ...coins1] as const

/** Section 4 of the contract's document, copied by hand: it must not be derived from the code that it checks. */
export const expectations: Record<EndpointName, Expectation> = {
  checkHealth: { call: 'GET health', success: 200, may: anyone },
  checkReadiness: { call: 'GET ready', success: 200, may: anyone },
  readWords: { call: 'GET content/words', success: 200, may: anyone },
  readFacts: { call: 'GET content/facts', success: 200, may: anyone },
  readBrand: { call: 'GET content/brand', success: 200, may: anyone },

  getAppRecord: { call: 'GET admin/app', success: 200, may: coins1 },
  updateAppRecord: { call: 'POST admin/app', success: 200, may: coins2 },
  // Mails are seen by those who see members; the requests are about a mail that is not about money or identity.
  listMails: { call: 'GET admin/mails', success: 200, may: employee1 },
  exportMails: { call: 'GET admin/mails/csv', success: 200, may: employee1 },
  readMailFigures: { call: 'GET admin/mails/figures', success: 200, may: employee1 },
  listMailTemplates: { call: 'GET admin/mails/templates', success: 200, may: employee1 },
  getMailTemplate: { call: 'GET admin/mails/templates/:kind', success: 200, may: employee1 },
  getMail: { call: 'GET admin/mails/:id', success: 200, may: employee1 },
  sendMailAgain: { call: 'POST admin/mails/sendagain', success: 200, may: employee2 },
  stopMail: { call: 'POST admin/mails/stop', success: 200, may: employee2 },
  sendTestMail: { call: 'POST admin/mails/test', success: 200, may: employee2 },

  findApp: { call: 'POST apps/findOne', success: 200, may: anyone },

  createMember: { call: 'POST members/create', success: 201, may: anyone },
  resendActivation: { call: 'POST members/resendactivation', success: 202, may: anyone },
  activateMember: { call: 'GET members/activation/:email/:code', success: 200, may: anyone },
  signIn: { call: 'POST members/login', success: 200, may: anyone },
  restoreSession: { call: 'POST members/session', success: 200, may: signedIn },
  signOut: { call: 'POST members/logout', success: 200, may: signedIn },
  requestPasswordReset: { call: 'POST members/requestpwdreset', success: 202, may: anyone },
  checkPasswordReset: { call: 'POST members/checkpwdreset', success: 200, may: anyone },
  executePasswordReset: { call: 'POST members/exepwdreset', success: 200, may: anyone },
  findMember: { call: 'POST members/findOne', success: 200, may: [...owner, ...employee1] },
  findMembers: { call: 'POST members/find', success: 200, may: employee1 },
  listMembers: { call: 'GET members/', success: 200, may: employee1 },
  getMember: { call: 'GET members/:id', success: 200, may: [...owner, ...employee1] },
  updateMember: { call: 'POST members/FindOneAndUpdate', success: 200, may: [...owner, ...employee2] },
  changePassword: { call: 'POST members/changepassword', success: 200, may: signedIn },
  confirmEmail: { call: 'POST members/confirmemail', success: 200, may: signedIn },
  askMailboxCode: { call: 'POST members/mailbox/ask', success: 200, may: signedIn },
  proveMailbox: { call: 'POST members/mailbox/prove', success: 200, may: signedIn },
  beginTotp: { call: 'POST members/totp/begin', success: 200, may: signedIn },
  confirmTotp: { call: 'POST members/totp/confirm', success: 200, may: signedIn },
  removeTotp: { call: 'POST members/totp/remove', success: 200, may: signedIn },
  listSessions: { call: 'GET members/sessions', success: 200, may: signedIn },
  revokeSession: {
    call: 'DELETE members/sessions/:id',
    success: 200,
    may: owner,
    otherwise: 'not_found',
  },
  revokeOtherSessions: { call: 'POST members/sessions/revokeothers', success: 200, may: signedIn },
  beginStepUp: { call: 'POST members/stepup/begin', success: 200, may: signedIn },
  stepUp: { call: 'POST members/stepup', success: 200, may: signedIn },
  getFactors: { call: 'GET members/factors', success: 200, may: signedIn },
  renewRecoveryCodes: { call: 'POST members/recoverycodes/renew', success: 200, may: signedIn },
  listPasskeys: { call: 'GET members/passkeys', success: 200, may: signedIn },
  beginPasskey: { call: 'POST members/passkeys/begin', success: 200, may: signedIn },
  finishPasskey: { call: 'POST members/passkeys/finish', success: 200, may: signedIn },
  renamePasskey: { call: 'POST members/passkeys/rename', success: 200, may: owner, otherwise: 'not_found' },
  removePasskey: { call: 'DELETE members/passkeys/:id', success: 200, may: owner, otherwise: 'not_found' },
  beginPasskeySignIn: { call: 'POST members/passkeys/signin/begin', success: 200, may: anyone },
  finishPasskeySignIn: { call: 'POST members/passkeys/signin/finish', success: 200, may: anyone },
  listConsoleMembers: { call: 'GET admin/members', success: 200, may: employee1 },
  exportConsoleMembers: { call: 'GET admin/members/csv', success: 200, may: employee1 },
  getConsoleMember: { call: 'GET admin/members/:id', success: 200, may: employee1 },
  readMemberTimeline: { call: 'GET admin/members/:id/timeline', success: 200, may: employee1 },
  setMemberActive: { call: 'POST admin/members/:id/active', success: 200, may: employee2 },
  // Rights are granted and withdrawn by administrators alone.
  setMemberRights: { call: 'POST admin/members/:id/rights', success: 200, may: ['admin'] },
  resendMemberActivation: { call: 'POST admin/members/:id/activation', success: 200, may: employee2 },
  sendMemberReset: { call: 'POST admin/members/:id/reset', success: 200, may: employee2 },
  endMemberSessions: { call: 'POST admin/members/:id/sessions/end', success: 200, may: employee2 },
  addMemberNote: { call: 'POST admin/members/:id/notes', success: 200, may: employee2 },
  removeMemberNote: { call: 'DELETE admin/members/:id/notes/:noteId', success: 200, may: employee2 },
  offerMemberExport: { call: 'POST admin/members/:id/export', success: 200, may: employee2 },
  openMemberErasure: { call: 'POST admin/members/:id/erasure', success: 200, may: employee2 },
  confirmMemberErasure: { call: 'POST admin/members/:id/erasure/confirm', success: 200, may: employee2 },
  dropMemberErasure: { call: 'DELETE admin/members/:id/erasure', success: 200, may: employee2 },
  askLostFactor: { call: 'POST members/factors/lost', success: 200, may: anyone },
  stopLostFactor: { call: 'POST members/factors/lost/stop', success: 200, may: anyone },
  // A way in without the second factor is opened and confirmed by two who may change members.
  listLostFactors: { call: 'GET admin/lost-factors', success: 200, may: employee2 },
  openLostFactor: { call: 'POST admin/lost-factors/open', success: 200, may: employee2 },
  confirmLostFactor: { call: 'POST admin/lost-factors/confirm', success: 200, may: employee2 },
  declineLostFactor: { call: 'POST admin/lost-factors/decline', success: 200, may: employee2 },
  exportMember: { call: 'GET members/export', success: 200, may: signedIn },
  eraseMember: { call: 'POST members/erase', success: 200, may: signedIn },
  previewErasure: { call: 'GET members/erase', success: 200, may: signedIn },
  listConsents: { call: 'GET members/consents', success: 200, may: signedIn },
  giveConsents: { call: 'POST members/consents', success: 200, may: signedIn },
  getAntiPhishingPhrase: { call: 'GET members/phrase', success: 200, may: signedIn },
  setAntiPhishingPhrase: { call: 'POST members/phrase', success: 200, may: signedIn },

  listAmbassadors: { call: 'GET ambassadors', success: 200, may: anyone },
  getAmbassador: { call: 'GET ambassadors/:slug', success: 200, may: anyone },
  getOwnAmbassador: { call: 'GET members/ambassador', success: 200, may: signedIn },
  joinAsAmbassador: { call: 'POST members/ambassador/join', success: 200, may: signedIn },
  saveAmbassadorProfile: { call: 'POST members/ambassador/profile', success: 200, may: signedIn },
  listConsoleAmbassadors: { call: 'GET admin/ambassadors/profiles', success: 200, may: employee1 },
  getConsoleAmbassador: { call: 'GET admin/ambassadors/profiles/:id', success: 200, may: employee1 },
  approveAmbassadorProfile: {
    call: 'POST admin/ambassadors/profiles/:id/approve',
    success: 200,
    may: employee2,
  },
  returnAmbassadorProfile: {
    call: 'POST admin/ambassadors/profiles/:id/return',
    success: 200,
    may: employee2,
  },
  placeAmbassador: { call: 'POST admin/ambassadors/profiles/:id/place', success: 200, may: employee2 },
  setAmbassadorStanding: {
    call: 'POST admin/ambassadors/profiles/:id/standing',
    success: 200,
    may: employee2,
  },
  applyAsAmbassador: { call: 'POST forms/AddAmbassador', success: 201, may: anyone },

  listAnnouncements: { call: 'GET announcements/:lang', success: 200, may: anyone },
  browseAnnouncements: { call: 'GET announcements/:lang/browse', success: 200, may: anyone },
  getPost: { call: 'GET announcements/:lang/posts/:slug', success: 200, may: anyone },
  listPostAddresses: { call: 'GET announcements/addresses', success: 200, may: anyone },
  listCategories: { call: 'GET announcements/getCategories', success: 200, may: anyone },
  createAnnouncement: { call: 'POST announcements/create', success: 201, may: news2 },
  updateAnnouncement: { call: 'POST announcements/updatePostById', success: 200, may: news2 },
  uploadPicture: { call: 'POST announcements/pictures', success: 201, may: news2 },
  deleteAnnouncement: { call: 'POST announcements/delete/:id', success: 200, may: news2 },

  listNewsroomPosts: { call: 'GET admin/news/posts', success: 200, may: news1 },
  getNewsroomPost: { call: 'GET admin/news/posts/:id', success: 200, may: news1 },
  publishPost: { call: 'POST admin/news/posts/:id/publish', success: 200, may: news2 },
  schedulePost: { call: 'POST admin/news/posts/:id/schedule', success: 200, may: news2 },
  unpublishPost: { call: 'POST admin/news/posts/:id/unpublish', success: 200, may: news2 },
  restorePost: { call: 'POST admin/news/posts/:id/restore', success: 200, may: news2 },
  linkPosts: { call: 'POST admin/news/posts/:id/link', success: 200, may: news2 },
  unlinkPost: { call: 'POST admin/news/posts/:id/unlink', success: 200, may: news2 },
  listPostVersions: { call: 'GET admin/news/posts/:id/versions', success: 200, may: news1 },
  getPostVersion: { call: 'GET admin/news/posts/:id/versions/:n', success: 200, may: news1 },
  restorePostVersion: { call: 'POST admin/news/posts/:id/versions/:n/restore', success: 200, may: news2 },
  makePreview: { call: 'POST admin/news/posts/:id/preview', success: 200, may: news2 },
  endPreview: { call: 'DELETE admin/news/posts/:id/preview', success: 200, may: news2 },
  readPreview: { call: 'GET announcements/previews/:token', success: 200, may: anyone },
  listPublishedVersions: {
    call: 'GET announcements/:lang/posts/:slug/versions',
    success: 200,
    may: anyone,
  },
  listSigningKeys: { call: 'GET announcements/signing-keys', success: 200, may: anyone },
  listAutosaves: { call: 'GET admin/news/working-copies', success: 200, may: news2 },
  getAutosave: { call: 'GET admin/news/working-copies/:id', success: 200, may: news2 },
  saveAutosave: { call: 'POST admin/news/working-copies', success: 200, may: news2 },
  dropAutosave: { call: 'DELETE admin/news/working-copies/:id', success: 200, may: news2 },
  ...contentExpectations,

  createOrder: { call: 'POST icotx/create', success: 201, may: [...owner, ...finance2] },
  getOrder: { call: 'GET icotx/:id', success: 200, may: [...owner, ...finance1] },
  listOrders: { call: 'GET icotx/', success: 200, may: finance1 },
  findOrders: { call: 'POST icotx/find', success: 200, may: [...owner, ...finance1] },
  updateOrder: { call: 'POST icotx/update', success: 200, may: finance2 },
  getOrderPayment: { call: 'GET icotx/:id/payment', success: 200, may: [...owner, ...finance1] },
  reportPayment: {
    call: 'POST icotx/:id/reportpayment',
    success: 200,
    may: owner,
    otherwise: 'not_found',
  },
  listConsoleOrders: { call: 'GET admin/orders', success: 200, may: finance1 },
  exportConsoleOrders: { call: 'GET admin/orders/csv', success: 200, may: finance1 },
  exportOrderAccounts: { call: 'GET admin/orders/accounting', success: 200, may: finance1 },
  readOrderTotals: { call: 'GET admin/orders/totals', success: 200, may: finance1 },
  importOrderPayments: { call: 'POST admin/orders/payments', success: 200, may: finance2 },
  getConsoleOrder: { call: 'GET admin/orders/:id', success: 200, may: finance1 },
  declineOrderCompletion: { call: 'POST admin/orders/:id/decline', success: 200, may: finance2 },
  extendOrderDeadline: { call: 'POST admin/orders/:id/deadline', success: 200, may: finance2 },
  cancelOrder: { call: 'POST icotx/:id/cancel', success: 200, may: owner, otherwise: 'not_found' },
  giveOrderAddress: {
    call: 'POST icotx/:id/address',
    success: 200,
    may: owner,
    otherwise: 'not_found',
  },

  getSale: { call: 'GET sale', success: 200, may: signedIn },
  createQuote: { call: 'POST icotx/quote', success: 201, may: signedIn },
  getSaleSettings: { call: 'GET admin/sale', success: 200, may: coins1 },
  updateSaleSettings: { call: 'POST admin/sale', success: 200, may: coins2 },
  confirmSaleProposal: { call: 'POST admin/sale/proposals/:id/confirm', success: 200, may: coins2 },
  declineSaleProposal: { call: 'POST admin/sale/proposals/:id/decline', success: 200, may: coins2 },
  // Everybody of the staff is to see that payments go elsewhere.
  listAddressChanges: { call: 'GET admin/sale/address-changes', success: 200, may: anyStaff },
  listSettingVersions: { call: 'GET admin/sale/versions', success: 200, may: coins1 },
  exportSettingVersions: { call: 'GET admin/sale/versions/csv', success: 200, may: coins1 },
  getSettingVersion: { call: 'GET admin/sale/versions/:id', success: 200, may: coins1 },
  restoreSettingVersion: { call: 'POST admin/sale/versions/:id/restore', success: 200, may: coins2 },

  createKyc: { call: 'POST kyc/create', success: 201, may: signedIn },
  stageKycPhoto: { call: 'POST kyc/photos', success: 201, may: signedIn },
  dropKycPhoto: { call: 'DELETE kyc/photos/:id', success: 200, may: owner, otherwise: 'not_found' },
  listStagedKycPhotos: { call: 'GET kyc/photos', success: 200, may: signedIn },
  getStagedKycPhoto: { call: 'GET kyc/photos/:id', success: 200, may: owner, otherwise: 'not_found' },
  makeHandoff: { call: 'POST kyc/handoff', success: 201, may: signedIn },
  getHandoff: { call: 'GET kyc/handoff', success: 200, may: signedIn },
  endHandoff: { call: 'POST kyc/handoff/end', success: 200, may: signedIn },
  openHandoff: { call: 'POST kyc/handoff/open', success: 200, may: anyone },
  // The phone's secret decides, whoever is signed in beside it.
  stageHandoffPhoto: { call: 'POST kyc/handoff/photos', success: 201, may: anyone },
  dropHandoffPhoto: { call: 'DELETE kyc/handoff/photos/:id', success: 200, may: anyone },
  closeHandoff: { call: 'POST kyc/handoff/close', success: 200, may: anyone },
  getKycHistory: { call: 'GET kyc/:id/history', success: 200, may: [...owner, ...finance1] },
  getKyc: { call: 'GET kyc/:id', success: 200, may: [...owner, ...finance1] },
  getKycPhoto: { call: 'GET kyc/:id/photos/:n', success: 200, may: finance1 },
  listKyc: { call: 'GET kyc/', success: 200, may: finance1 },
  listKycOfMember: { call: 'POST kyc/', success: 200, may: [...owner, ...finance1] },
  findKyc: { call: 'POST kyc/find', success: 200, may: [...owner, ...finance1] },
  updateKyc: { call: 'POST kyc/update', success: 200, may: [...owner, ...finance2] },
  listKycCases: { call: 'GET admin/kyc/cases', success: 200, may: finance1 },
  readKycStatistics: { call: 'GET admin/kyc/statistics', success: 200, may: finance1 },
  getKycCase: { call: 'GET admin/kyc/cases/:id', success: 200, may: finance1 },
  listKycCaseEvents: { call: 'GET admin/kyc/cases/:id/events', success: 200, may: finance1 },
  exportKycCase: { call: 'GET admin/kyc/cases/:id/export', success: 200, may: finance2 },
  exportKycCaseAsPdf: { call: 'GET admin/kyc/cases/:id/pdf', success: 200, may: finance2 },
  assignKycCase: { call: 'POST admin/kyc/cases/:id/assign', success: 200, may: finance2 },
  reviewKycPhoto: { call: 'POST admin/kyc/cases/:id/photos/:n', success: 200, may: finance2 },
  readKycScreening: { call: 'POST admin/kyc/cases/:id/screening', success: 200, may: finance2 },
  decideKycCase: { call: 'POST admin/kyc/cases/:id/decide', success: 200, may: finance2 },
  liftKycRefusal: { call: 'POST admin/kyc/cases/:id/lift', success: 200, may: finance2 },
  deleteKyc: { call: 'POST kyc/delete', success: 200, may: [...owner, ...finance2] },

  // Answers as much as the caller's levels reach, which a test of its own asserts.
  listWaiting: { call: 'GET admin/home/waiting', success: 200, may: anyStaff },
  readConsoleFigures: { call: 'GET admin/home/figures', success: 200, may: anyStaff },
  // One's own, never those of a colleague.
  listConsoleViews: { call: 'GET admin/views', success: 200, may: anyStaff },
  saveConsoleView: { call: 'POST admin/views', success: 201, may: anyStaff },
  renameConsoleView: { call: 'POST admin/views/:id', success: 200, may: anyStaff },
  dropConsoleView: { call: 'DELETE admin/views/:id', success: 200, may: anyStaff },
  listRecord: { call: 'GET admin/record', success: 200, may: admin },
  exportRecord: { call: 'GET admin/record/file', success: 200, may: admin },
  verifyRecord: { call: 'POST admin/record/verify', success: 202, may: admin },
  getVerification: { call: 'GET admin/record/verification', success: 200, may: admin },
  exportRecordHead: { call: 'GET admin/record/head', success: 200, may: admin },
  readHealth: { call: 'GET admin/health', success: 200, may: admin },
}
