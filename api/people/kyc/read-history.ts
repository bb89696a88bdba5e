import type { api } from '#contract/api.ts'
import type { KycHistory } from '#contract/people/kyc.ts'
import { findAuditReceipt, listAuditOfSubject } from '../../platform/audit/audit.queries.ts'
import { sealAudit } from '../../platform/audit/seal-audit.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Handler } from '../../platform/http/handler.ts'
import { validUntil } from './expire-approvals.ts'
import { listKycPhotos } from './kyc-photo.queries.ts'
import { findKyc, findUsualHours, listKycSteps, type KycRow } from './kyc.queries.ts'

/** The history of an application, also for its applicant, who sees who has viewed it. */
export const getKycHistory: Handler<typeof api.getKycHistory> = async (
  { params },
  { db, caller, config },
) => {
  const row = (await findKyc(db, params.id)).openFor(caller)
  const until = validUntil(row, config.kycValidity)
  return { ...(await readHistory(db, row)), validUntil: until?.toISOString() ?? null }
}

export async function readHistory(db: Tx, row: KycRow): Promise<KycHistory> {
  const steps = await listKycSteps(db, row.id)
  const views = await listAuditOfSubject(db, 'kyc', row.id, [
    'kyc-viewed',
    'kyc-photo-viewed',
    'kyc-exported',
  ])
  return {
    steps: [
      { at: row.created_at.toISOString(), from: null, to: 'submitted' as const, reason: '' },
      ...steps.map(({ at, from_status, to_status, reason }) => ({
        at: at.toISOString(),
        from: from_status,
        to: to_status,
        reason,
      })),
    ],
    photos: (await listKycPhotos(db, row.id)).map(({ n, verdict, reason, round, replaced_in_round }) => ({
      n,
      verdict: verdict as KycHistory['photos'][number]['verdict'],
      reason,
      round,
      isReplaced: replaced_in_round !== null,
    })),
    views: views.map(({ at, action, display_name }) => ({
      at: at.toISOString(),
      by: display_name ?? '',
      what: action === 'kyc-photo-viewed' ? ('photo' as const) : ('record' as const),
    })),
    usualHours: await findUsualHours(db),
    receipt: await readReceipt(db, row.id),
  }
}

async function readReceipt(db: Tx, id: string): Promise<KycHistory['receipt']> {
  // Otherwise the receipt would be missing right after the deletion.
  await sealAudit(db)
  const entry = await findAuditReceipt(db, 'kyc', id, ['kyc-photos-destroyed', 'kyc-deleted'])
  return entry && { at: entry.at.toISOString(), entry: entry.seq, hash: entry.hash }
}
