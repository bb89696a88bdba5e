import type { KycApplication } from '#contract/people/kyc.ts'
import type { KycRow } from './kyc.queries.ts'

/** Only staff see the private note. */
export const presentKyc = (row: KycRow, isForStaff: boolean): KycApplication => ({
  _id: row.id,
  memberId: row.member_id,
  firstName: row.full_name,
  lastName: row.last_name,
  country: row.country,
  dateOfBirth: row.date_of_birth,
  email: row.email,
  ethAddress: row.eth_address,
  btcAddress: row.btc_address,
  eventId: row.event_id,
  status: row.status,
  reason: row.reason,
  photoCount: row.photo_count,
  round: row.round,
  isFinal: row.is_final,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
  ...(isForStaff ? { note: row.note } : {}),
})
