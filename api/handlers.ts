import type { Api, EndpointName } from '#contract/api.ts'
import { applyAsAmbassador } from './ambassadors/apply-as-ambassador.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  listCategories,
  updateAnnouncement,
} from './announcements/announcement-handlers.ts'
import { linkPosts, unlinkPost } from './announcements/newsroom/link-handlers.ts'
import { endPreview, makePreview, readPreview } from './announcements/newsroom/preview-handlers.ts'
import { listPublishedVersions, listSigningKeys } from './announcements/signatures/signature-handlers.ts'
import { getNewsroomPost, listNewsroomPosts } from './announcements/newsroom/read-newsroom.ts'
import {
  publishPost,
  restorePost,
  schedulePost,
  unpublishPost,
} from './announcements/newsroom/transition-handlers.ts'
import { uploadPicture } from './announcements/pictures/picture-handlers.ts'
import {
  browseAnnouncements,
  getPost,
  listAnnouncements,
  listPostAddresses,
} from './announcements/read-posts.ts'
import {
  getPostVersion,
  listPostVersions,
  restorePostVersion,
} from './announcements/versions/version-handlers.ts'
import {
  dropAutosave,
  getAutosave,
  saveAutosave,
  listAutosaves,
} from './announcements/autosaves/autosave-handlers.ts'
import { findApp } from './apps/find-app.ts'
import type { Handler } from './http/handler.ts'
import { findKyc, getKyc, getKycPhoto, listKyc, listKycOfMember } from './kyc/read-applications.ts'
import { assignKycCase } from './kyc/review/assign-case.ts'
import { decideKycCase } from './kyc/review/decide-case.ts'
import { exportKycCase } from './kyc/review/export-case.ts'
import { exportKycCaseAsPdf } from './kyc/review/paper/export-case-as-pdf.ts'
import { judgeKycPhoto } from './kyc/review/judge-photo.ts'
import { getKycCase, listKycCases, readKycStatistics } from './kyc/review/read-cases.ts'
import { endHandoff, getHandoff, makeHandoff } from './kyc/handoff/member-handoff.ts'
import {
  closeHandoff,
  dropHandoffPhoto,
  openHandoff,
  stageHandoffPhoto,
} from './kyc/handoff/phone-handoff.ts'
import { listKycCaseEvents } from './kyc/review/read-events.ts'
import { getKycHistory } from './kyc/read-history.ts'
import { dropKycPhoto, getStagedKycPhoto, stageKycPhoto } from './kyc/stage-photo.ts'
import { createKyc } from './kyc/submit-application.ts'
import { deleteKyc, updateKyc } from './kyc/update-application.ts'
import { activateMember } from './accounts/activate-member.ts'
import { confirmEmail } from './accounts/change-email.ts'
import { createMember, resendActivation } from './accounts/create-member.ts'
import { eraseMember, previewErasure } from './privacy/erase-member.ts'
import { exportMember } from './privacy/export-member.ts'
import { changePassword, executePasswordReset, requestPasswordReset } from './accounts/password-handlers.ts'
import { findMember, findMembers, getMember, listMembers } from './accounts/read-members.ts'
import { updateMember } from './accounts/update-member.ts'
import { checkHealth, checkReadiness } from './operations/check-health.ts'
import {
  beginPasskey,
  finishPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from './sessions/passkeys/passkey-handlers.ts'
import { beginPasskeySignIn, finishPasskeySignIn } from './sessions/passkeys/passkey-sign-in.ts'
import { getFactors, renewRecoveryCodes } from './sessions/factors.ts'
import {
  listSessions,
  restoreSession,
  revokeOtherSessions,
  revokeSession,
  signOut,
} from './sessions/session-handlers.ts'
import { createOrder } from './orders/create-order.ts'
import { createQuote } from './orders/create-quote.ts'
import { findOrders, getOrder, listOrders, updateOrder } from './orders/order-handlers.ts'
import { getOrderPayment, reportPayment } from './orders/order-payment.ts'
import { getSale, getSaleSettings, updateSaleSettings } from './sale/sale-handlers.ts'
import { giveConsents, listConsents } from './consents/give-consents.ts'
import { getPhrase, setPhrase } from './accounts/anti-phishing-phrase.ts'
import { signIn } from './sessions/sign-in.ts'
import { beginStepUp, stepUp } from './sessions/step-up.ts'
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
  previewErasure,
  listConsents,
  giveConsents,
  getPhrase,
  setPhrase,
  signIn,
  restoreSession,
  signOut,
  listSessions,
  revokeSession,
  beginTotp,
  confirmTotp,
  removeTotp,
  revokeOtherSessions,
  beginStepUp,
  stepUp,
  getFactors,
  renewRecoveryCodes,
  listPasskeys,
  beginPasskey,
  finishPasskey,
  renamePasskey,
  removePasskey,
  beginPasskeySignIn,
  finishPasskeySignIn,
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
  listNewsroomPosts,
  getNewsroomPost,
  publishPost,
  schedulePost,
  unpublishPost,
  restorePost,
  linkPosts,
  unlinkPost,
  listPostVersions,
  getPostVersion,
  restorePostVersion,
  makePreview,
  endPreview,
  readPreview,
  listPublishedVersions,
  listSigningKeys,
  listAutosaves,
  getAutosave,
  saveAutosave,
  dropAutosave,
  createOrder,
  getOrder,
  listOrders,
  findOrders,
  updateOrder,
  getOrderPayment,
  reportPayment,
  getSale,
  createQuote,
  getSaleSettings,
  updateSaleSettings,
  createKyc,
  stageKycPhoto,
  getStagedKycPhoto,
  dropKycPhoto,
  getKycHistory,
  getKyc,
  getKycPhoto,
  listKyc,
  listKycOfMember,
  findKyc,
  updateKyc,
  deleteKyc,

  makeHandoff,
  getHandoff,
  endHandoff,
  openHandoff,
  stageHandoffPhoto,
  dropHandoffPhoto,
  closeHandoff,
  listKycCases,
  readKycStatistics,
  getKycCase,
  listKycCaseEvents,
  exportKycCase,
  exportKycCaseAsPdf,
  assignKycCase,
  judgeKycPhoto,
  decideKycCase,
} satisfies { [Name in EndpointName]: Handler<Api[Name]> }
