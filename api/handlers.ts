import type { Api, EndpointName } from '#contract/api.ts'
import { applyAsAmbassador } from './ambassadors/apply-as-ambassador.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  listCategories,
  updateAnnouncement,
} from './announcements/announcement-handlers.ts'
import { uploadPicture } from './announcements/picture-handlers.ts'
import {
  browseAnnouncements,
  getPost,
  listAnnouncements,
  listPostAddresses,
} from './announcements/read-posts.ts'
import { findApp } from './apps/find-app.ts'
import type { Handler } from './http/handler.ts'
import { findKyc, getKyc, getKycPhoto, listKyc, listKycOfMember } from './kyc/read-applications.ts'
import { createKyc } from './kyc/submit-application.ts'
import { deleteKyc, updateKyc } from './kyc/update-application.ts'
import { activateMember } from './members/activate-member.ts'
import { confirmEmail } from './members/change-email.ts'
import { createMember, resendActivation } from './members/create-member.ts'
import { eraseMember } from './members/erase-member.ts'
import { exportMember } from './members/export-member.ts'
import { changePassword, executePasswordReset, requestPasswordReset } from './members/password-handlers.ts'
import { findMember, findMembers, getMember, listMembers } from './members/read-members.ts'
import { updateMember } from './members/update-member.ts'
import { checkHealth, checkReadiness } from './operations/check-health.ts'
import { createOrder, findOrders, getOrder, listOrders, updateOrder } from './orders/order-handlers.ts'
import { listSessions, restoreSession, revokeSession, signOut } from './sessions/session-handlers.ts'
import { signIn } from './sessions/sign-in.ts'
import { beginTotp, confirmTotp, removeTotp } from './sessions/totp.ts'

/** Endpoint to handler. Does not compile while one is missing. */
export const handlers = {
  checkHealth,
  checkReadiness,
  findApp,
  createMember,
  resendActivation,
  activateMember,
  requestPasswordReset,
  executePasswordReset,
  changePassword,
  confirmEmail,
  findMember,
  findMembers,
  listMembers,
  getMember,
  updateMember,
  exportMember,
  eraseMember,
  signIn,
  restoreSession,
  signOut,
  listSessions,
  revokeSession,
  beginTotp,
  confirmTotp,
  removeTotp,
  applyAsAmbassador,
  listCategories,
  listAnnouncements,
  browseAnnouncements,
  getPost,
  listPostAddresses,
  createAnnouncement,
  updateAnnouncement,
  deleteAnnouncement,
  uploadPicture,
  createOrder,
  getOrder,
  listOrders,
  findOrders,
  updateOrder,
  createKyc,
  getKyc,
  getKycPhoto,
  listKyc,
  listKycOfMember,
  findKyc,
  updateKyc,
  deleteKyc,
} satisfies { [Name in EndpointName]: Handler<Api[Name]> }
