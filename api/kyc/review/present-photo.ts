import type { KycCaseDetail } from '#contract/kyc-review.ts'
import type { listKycPhotos } from '../kyc-photo.queries.ts'

type PhotoRow = Awaited<ReturnType<typeof listKycPhotos>>[number]

export const presentPhoto = (row: PhotoRow): KycCaseDetail['photos'][number] => ({
  n: row.n,
  bytes: row.bytes,
  verdict: row.verdict as KycCaseDetail['photos'][number]['verdict'],
  reason: row.reason,
  note: row.note,
  round: row.round,
  isReplaced: row.replaced_in_round !== null,
})
