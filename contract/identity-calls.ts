import * as kyc from './kyc.ts'
import * as kycExport from './kyc-export.ts'
import * as kycHandoff from './kyc-handoff.ts'
import * as kycReview from './kyc-review.ts'

/** The part of the list of calls that is about identities. */
export const identityCalls = {
  readKycRequirements: kyc.readKycRequirements,
  createKyc: kyc.createKyc,
  stageKycPhoto: kyc.stageKycPhoto,
  listStagedKycPhotos: kyc.listStagedKycPhotos,
  getStagedKycPhoto: kyc.getStagedKycPhoto,
  dropKycPhoto: kyc.dropKycPhoto,
  getKycHistory: kyc.getKycHistory,
  getKyc: kyc.getKyc,
  getKycPhoto: kyc.getKycPhoto,
  listKyc: kyc.listKyc,
  listKycOfMember: kyc.listKycOfMember,
  findKyc: kyc.findKyc,
  updateKyc: kyc.updateKyc,
  deleteKyc: kyc.deleteKyc,

  makeHandoff: kycHandoff.makeHandoff,
  getHandoff: kycHandoff.getHandoff,
  endHandoff: kycHandoff.endHandoff,
  openHandoff: kycHandoff.openHandoff,
  stageHandoffPhoto: kycHandoff.stageHandoffPhoto,
  dropHandoffPhoto: kycHandoff.dropHandoffPhoto,
  closeHandoff: kycHandoff.closeHandoff,

  listKycCases: kycReview.listKycCases,
  listKycReasons: kycReview.listKycReasons,
  readKycStatistics: kycReview.readKycStatistics,
  getKycCase: kycReview.getKycCase,
  listKycCaseEvents: kycReview.listKycCaseEvents,
  exportKycCase: kycExport.exportKycCase,
  exportKycCaseAsPdf: kycExport.exportKycCaseAsPdf,
  assignKycCase: kycReview.assignKycCase,
  reviewKycPhoto: kycReview.reviewKycPhoto,
  readKycScreening: kycReview.readKycScreening,
  decideKycCase: kycReview.decideKycCase,
  liftKycRefusal: kycReview.liftKycRefusal,
}
