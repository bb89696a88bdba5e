import type { Tx } from '../db/database.ts'
import { listKycOfMember } from '../kyc/kyc.queries.ts'
import { findMemberById } from '../members/member.queries.ts'

/** Returns the buyer's name for the receipt: the verified name, or else the profile name. */
export async function findBuyerName(db: Tx, memberId: string): Promise<string> {
  const { rows } = await listKycOfMember(db, memberId, {}, { limit: 20 })
  const verified =
    rows.find(({ status }) => status === 'approved') ?? rows.find(({ status }) => status === 'expired')
  const ofIdentity = [verified?.full_name, verified?.last_name].filter(Boolean).join(' ')
  if (ofIdentity !== '') return ofIdentity
  const member = await findMemberById(db, memberId)
  const ofProfile = [member?.first_name, member?.mid_name, member?.last_name].filter(Boolean).join(' ')
  return ofProfile || member?.display_name || ''
}
