import * as ambassadorProfiles from './ambassador-profiles.ts'
import * as ambassadorResults from './ambassador-results.ts'
import * as ambassadors from './ambassadors.ts'
import * as announcements from './announcements.ts'
import { apiTokenCalls } from './api-tokens.ts'
import * as apps from './apps.ts'
import * as chainPayments from './chain-payments.ts'
import * as consoleAmbassadorProfiles from './console-ambassador-profiles.ts'
import * as consoleHealth from './console-health.ts'
import * as consoleRecord from './console-record.ts'
import * as content from './content.ts'
import { contentCalls } from './content-calls.ts'
import * as consents from './consents.ts'
import * as consoleAmbassadors from './console-ambassadors.ts'
import * as consoleHome from './console-home.ts'
import * as consoleViews from './console-views.ts'
import * as consoleOrders from './console-orders.ts'
import * as orderTotals from './order-totals.ts'
import * as consoleMembers from './console-members.ts'
import * as consoleMails from './console-mails.ts'
import { withdrawalCalls } from './console-withdrawals.ts'
import { readWhitePaper } from './white-paper.ts'
import { listFourEyes } from './four-eyes.ts'
import { identityCalls } from './identity-calls.ts'
import * as lostFactors from './lost-factors.ts'
import * as mailboxes from './mailboxes.ts'
import * as members from './members.ts'
import * as newsletter from './newsletter.ts'
import * as newsroom from './newsroom.ts'
import { officialCalls } from './official-calls.ts'
import * as operations from './operations.ts'
import * as orderDesk from './order-desk.ts'
import * as orders from './orders.ts'
import * as passkeys from './passkeys.ts'
import * as privacy from './privacy.ts'
import * as importPayments from './import-payments.ts'
import * as statements from './statements.ts'
import * as sale from './sale.ts'
import * as saleProposals from './sale-proposals.ts'
import * as sessions from './sessions.ts'
import * as settings from './settings.ts'
import * as signatures from './signatures.ts'
import * as webhooks from './webhooks.ts'

export const version = 'v2'

/** Every endpoint, by the name of its handler and its test. */
export const api = {
  checkHealth: operations.checkHealth,
  checkReadiness: operations.checkReadiness,

  readWords: content.readWords,
  readFacts: content.readFacts,
  readBrand: content.readBrand,
  readWhitePaper,

  findApp: apps.findApp,
  getAppRecord: apps.getAppRecord,
  updateAppRecord: apps.updateAppRecord,

  createMember: members.createMember,
  resendActivation: members.resendActivation,
  activateMember: members.activateMember,
  requestPasswordReset: members.requestPasswordReset,
  checkPasswordReset: members.checkPasswordReset,
  executePasswordReset: members.executePasswordReset,
  changePassword: members.changePassword,
  confirmEmail: members.confirmEmail,
  readAdministratorLink: members.readAdministratorLink,
  sendAdministratorLink: members.sendAdministratorLink,
  askMailboxCode: members.askMailboxCode,
  proveMailbox: members.proveMailbox,
  readOwnMailbox: mailboxes.readOwnMailbox,
  findMember: members.findMember,
  findMembers: members.findMembers,
  listMembers: members.listMembers,
  getMember: members.getMember,
  updateMember: members.updateMember,
  exportMember: privacy.exportMember,
  eraseMember: privacy.eraseMember,

  previewErasure: privacy.previewErasure,
  listConsents: consents.listConsents,
  giveConsents: consents.giveConsents,
  listConsoleMembers: consoleMembers.listConsoleMembers,
  exportConsoleMembers: consoleMembers.exportConsoleMembers,
  getConsoleMember: consoleMembers.getConsoleMember,
  readMemberTimeline: consoleMembers.readMemberTimeline,
  setMemberActive: consoleMembers.setMemberActive,
  setMemberRights: consoleMembers.setMemberRights,
  resendMemberActivation: consoleMembers.resendMemberActivation,
  sendMemberReset: consoleMembers.sendMemberReset,
  endMemberSessions: consoleMembers.endMemberSessions,
  clearMailboxRefusal: consoleMembers.clearMailboxRefusal,
  addMemberNote: consoleMembers.addMemberNote,
  removeMemberNote: consoleMembers.removeMemberNote,
  offerMemberExport: consoleMembers.offerMemberExport,
  openMemberErasure: consoleMembers.openMemberErasure,
  confirmMemberErasure: consoleMembers.confirmMemberErasure,
  dropMemberErasure: consoleMembers.dropMemberErasure,
  getAntiPhishingPhrase: members.getAntiPhishingPhrase,
  setAntiPhishingPhrase: members.setAntiPhishingPhrase,

  listMails: consoleMails.listMails,
  exportMails: consoleMails.exportMails,
  readMailFigures: consoleMails.readMailFigures,
  listMailTemplates: consoleMails.listMailTemplates,
  getMailTemplate: consoleMails.getMailTemplate,
  getMail: consoleMails.getMail,
  sendMailAgain: consoleMails.sendMailAgain,
  stopMail: consoleMails.stopMail,
  sendTestMail: consoleMails.sendTestMail,

  listWebhooks: webhooks.listWebhooks,
  getWebhook: webhooks.getWebhook,
  createWebhook: webhooks.createWebhook,
  updateWebhook: webhooks.updateWebhook,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  setWebhookState: webhooks.setWebhookState,
  deleteWebhook: webhooks.deleteWebhook,
  listWebhookDeliveries: webhooks.listWebhookDeliveries,
  testWebhook: webhooks.testWebhook,
  resendWebhookDelivery: webhooks.resendWebhookDelivery,
  resendFailedDeliveries: webhooks.resendFailedDeliveries,

  signIn: sessions.signIn,
  restoreSession: sessions.restoreSession,
  signOut: sessions.signOut,
  listSessions: sessions.listSessions,
  revokeSession: sessions.revokeSession,
  beginTotp: sessions.beginTotp,
  confirmTotp: sessions.confirmTotp,
  removeTotp: sessions.removeTotp,
  revokeOtherSessions: sessions.revokeOtherSessions,
  beginStepUp: sessions.beginStepUp,
  stepUp: sessions.stepUp,
  getFactors: sessions.getFactors,
  renewRecoveryCodes: sessions.renewRecoveryCodes,

  askLostFactor: lostFactors.askLostFactor,
  stopLostFactor: lostFactors.stopLostFactor,
  listLostFactors: lostFactors.listLostFactors,
  openLostFactor: lostFactors.openLostFactor,
  confirmLostFactor: lostFactors.confirmLostFactor,
  declineLostFactor: lostFactors.declineLostFactor,

  listPasskeys: passkeys.listPasskeys,
  beginPasskey: passkeys.beginPasskey,
  finishPasskey: passkeys.finishPasskey,
  renamePasskey: passkeys.renamePasskey,
  removePasskey: passkeys.removePasskey,
  beginPasskeySignIn: passkeys.beginPasskeySignIn,
  finishPasskeySignIn: passkeys.finishPasskeySignIn,

  applyAsAmbassador: ambassadors.applyAsAmbassador,
  listAmbassadors: ambassadorProfiles.listAmbassadors,
  getAmbassador: ambassadorProfiles.getAmbassador,
  getOwnAmbassador: ambassadorProfiles.getOwnAmbassador,
  joinAsAmbassador: ambassadorProfiles.joinAsAmbassador,
  saveAmbassadorProfile: ambassadorProfiles.saveAmbassadorProfile,
  getAmbassadorResults: ambassadorResults.getAmbassadorResults,
  listConsoleAmbassadors: consoleAmbassadorProfiles.listConsoleAmbassadors,
  getConsoleAmbassador: consoleAmbassadorProfiles.getConsoleAmbassador,
  approveAmbassadorProfile: consoleAmbassadorProfiles.approveAmbassadorProfile,
  returnAmbassadorProfile: consoleAmbassadorProfiles.returnAmbassadorProfile,
  placeAmbassador: consoleAmbassadorProfiles.placeAmbassador,
  setAmbassadorStanding: consoleAmbassadorProfiles.setAmbassadorStanding,
  readAmbassadorStatus: ambassadors.readAmbassadorStatus,
  listAmbassadorApplications: consoleAmbassadors.listAmbassadorApplications,
  readApplicationBoard: consoleAmbassadors.readApplicationBoard,
  listApplicationCountries: consoleAmbassadors.listApplicationCountries,
  listApplicationColleagues: consoleAmbassadors.listApplicationColleagues,
  exportAmbassadorApplications: consoleAmbassadors.exportAmbassadorApplications,
  getAmbassadorApplication: consoleAmbassadors.getAmbassadorApplication,
  reviewAmbassadorApplication: consoleAmbassadors.reviewAmbassadorApplication,
  assignAmbassadorApplication: consoleAmbassadors.assignAmbassadorApplication,
  acceptAmbassadorApplication: consoleAmbassadors.acceptAmbassadorApplication,
  declineAmbassadorApplication: consoleAmbassadors.declineAmbassadorApplication,
  declineAmbassadorApplications: consoleAmbassadors.declineAmbassadorApplications,
  eraseAmbassadorApplication: consoleAmbassadors.eraseAmbassadorApplication,
  addApplicationNote: consoleAmbassadors.addApplicationNote,
  removeApplicationNote: consoleAmbassadors.removeApplicationNote,

  listCategories: announcements.listCategories,
  listAnnouncements: announcements.listAnnouncements,
  browseAnnouncements: announcements.browseAnnouncements,
  getPost: announcements.getPost,
  listPostAddresses: announcements.listPostAddresses,
  createAnnouncement: announcements.createAnnouncement,
  updateAnnouncement: announcements.updateAnnouncement,
  deleteAnnouncement: announcements.deleteAnnouncement,
  uploadPicture: announcements.uploadPicture,

  listNewsroomPosts: newsroom.listNewsroomPosts,
  exportNewsroomPosts: newsroom.exportNewsroomPosts,
  getNewsroomPost: newsroom.getNewsroomPost,
  publishPost: newsroom.publishPost,
  schedulePost: newsroom.schedulePost,
  unpublishPost: newsroom.unpublishPost,
  restorePost: newsroom.restorePost,
  linkPosts: newsroom.linkPosts,
  unlinkPost: newsroom.unlinkPost,
  listPostVersions: newsroom.listPostVersions,
  getPostVersion: newsroom.getPostVersion,
  restorePostVersion: newsroom.restorePostVersion,
  makePreview: newsroom.makePreview,
  endPreview: newsroom.endPreview,
  readPreview: newsroom.readPreview,
  ...newsletter.calls,

  listPublishedVersions: signatures.listPublishedVersions,
  listSigningKeys: signatures.listSigningKeys,
  listAutosaves: newsroom.listAutosaves,
  getAutosave: newsroom.getAutosave,
  saveAutosave: newsroom.saveAutosave,
  dropAutosave: newsroom.dropAutosave,

  createOrder: orders.createOrder,
  getOrder: orders.getOrder,
  listOrders: orderDesk.listOrders,
  findOrders: orders.findOrders,
  updateOrder: orderDesk.updateOrder,
  getOrderPayment: orders.getOrderPayment,
  reportPayment: orders.reportPayment,
  cancelOrder: orders.cancelOrder,
  giveOrderAddress: orders.giveOrderAddress,
  extendOrderDeadline: orderDesk.extendOrderDeadline,

  getChainPayment: chainPayments.getChainPayment,
  getOrderChainPayment: chainPayments.getOrderChainPayment,
  listChainWatchers: chainPayments.listChainWatchers,

  listConsoleOrders: consoleOrders.listConsoleOrders,
  exportConsoleOrders: consoleOrders.exportConsoleOrders,
  exportOrderAccounts: consoleOrders.exportOrderAccounts,
  readOrderTotals: orderTotals.readOrderTotals,
  importOrderPayments: importPayments.importOrderPayments,
  listStatementLines: statements.listStatementLines,
  assignStatementLine: statements.assignStatementLine,
  dismissStatementLine: statements.dismissStatementLine,
  getConsoleOrder: consoleOrders.getConsoleOrder,
  declineOrderCompletion: consoleOrders.declineOrderCompletion,
  ...withdrawalCalls,

  getSale: sale.getSale,
  createQuote: sale.createQuote,
  getSaleSettings: sale.getSaleSettings,
  updateSaleSettings: sale.updateSaleSettings,
  confirmSaleProposal: saleProposals.confirmSaleProposal,
  declineSaleProposal: saleProposals.declineSaleProposal,
  listFourEyes,
  listAddressChanges: saleProposals.listAddressChanges,
  listSettingVersions: settings.listSettingVersions,
  exportSettingVersions: settings.exportSettingVersions,
  getSettingVersion: settings.getSettingVersion,
  restoreSettingVersion: saleProposals.restoreSettingVersion,

  ...identityCalls,

  listWaiting: consoleHome.listWaiting,
  readConsoleFigures: consoleHome.readConsoleFigures,
  listConsoleViews: consoleViews.listConsoleViews,
  saveConsoleView: consoleViews.saveConsoleView,
  renameConsoleView: consoleViews.renameConsoleView,
  dropConsoleView: consoleViews.dropConsoleView,
  listRecord: consoleRecord.listRecord,
  exportRecord: consoleRecord.exportRecord,
  verifyRecord: consoleRecord.verifyRecord,
  getVerification: consoleRecord.getVerification,
  exportRecordHead: consoleRecord.exportRecordHead,
  readHealth: consoleHealth.readHealth,

  ...contentCalls,

  ...apiTokenCalls,

  ...officialCalls,
}

export type Api = typeof api
export type EndpointName = keyof Api
