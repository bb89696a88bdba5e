import * as ambassadors from './ambassadors.ts'
import * as announcements from './announcements.ts'
import * as apps from './apps.ts'
import * as kyc from './kyc.ts'
import * as members from './members.ts'
import * as operations from './operations.ts'
import * as orders from './orders.ts'
import * as sessions from './sessions.ts'

export const version = 'v2'

/** The list of every endpoint, by the name that its handler and its test carry. */
export const api = {
  checkHealth: operations.checkHealth,
  checkReadiness: operations.checkReadiness,

  findApp: apps.findApp,

  createMember: members.createMember,
  resendActivation: members.resendActivation,
  activateMember: members.activateMember,
  requestPasswordReset: members.requestPasswordReset,
  executePasswordReset: members.executePasswordReset,
  changePassword: members.changePassword,
  confirmEmail: members.confirmEmail,
  findMember: members.findMember,
  findMembers: members.findMembers,
  listMembers: members.listMembers,
  getMember: members.getMember,
  updateMember: members.updateMember,
  exportMember: members.exportMember,
  eraseMember: members.eraseMember,

  signIn: sessions.signIn,
  restoreSession: sessions.restoreSession,
  signOut: sessions.signOut,
  listSessions: sessions.listSessions,
  revokeSession: sessions.revokeSession,
  beginTotp: sessions.beginTotp,
  confirmTotp: sessions.confirmTotp,
  removeTotp: sessions.removeTotp,

  applyAsAmbassador: ambassadors.applyAsAmbassador,

  listCategories: announcements.listCategories,
  listAnnouncements: announcements.listAnnouncements,
  browseAnnouncements: announcements.browseAnnouncements,
  getPost: announcements.getPost,
  listPostAddresses: announcements.listPostAddresses,
  createAnnouncement: announcements.createAnnouncement,
  updateAnnouncement: announcements.updateAnnouncement,
  deleteAnnouncement: announcements.deleteAnnouncement,
  uploadPicture: announcements.uploadPicture,

  createOrder: orders.createOrder,
  getOrder: orders.getOrder,
  listOrders: orders.listOrders,
  findOrders: orders.findOrders,
  updateOrder: orders.updateOrder,

  createKyc: kyc.createKyc,
  getKyc: kyc.getKyc,
  getKycPhoto: kyc.getKycPhoto,
  listKyc: kyc.listKyc,
  listKycOfMember: kyc.listKycOfMember,
  findKyc: kyc.findKyc,
  updateKyc: kyc.updateKyc,
  deleteKyc: kyc.deleteKyc,
}

export type Api = typeof api
export type EndpointName = keyof Api
