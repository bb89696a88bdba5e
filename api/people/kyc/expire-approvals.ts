import en from '#content/identity/en.json' with { type: 'json' }
import { DAY } from '#contract/platform/durations.ts'
import { renewalTime } from '#contract/people/kyc.ts'
import { recordAudit } from '../../platform/audit/audit.queries.ts'
import { transaction } from '../../platform/db/database.ts'
import { fill, type Values } from '../../platform/text/fill.ts'
import { getMemberById } from '../members/member.queries.ts'
import type { IdentityPlaceholders } from '../../platform/text/placeholders.ts'
import { readTranslations } from '../../platform/site-content/read-translations.ts'
import type { Services } from '../../platform/services.ts'
import {
  lockApprovalsPast,
  lockApprovalsToRenew,
  markExpiryNotified,
  insertKycStep,
  updateKycRow,
  type KycRow,
} from './kyc.queries.ts'
import { mailOfTransition, notifyApplicant } from './notify-applicant.ts'
import { formatDay } from '../../platform/text/format-time.ts'

type Needed = Pick<Services, 'db' | 'keys' | 'config' | 'lifecycle'>

const words = readTranslations('identity', en)
const atOnce = 100

/** Repeats until a batch is not full. Each batch is a separate transaction. */
async function doAll({ lifecycle }: Needed, doSome: () => Promise<number>): Promise<void> {
  while (!lifecycle.isStopping && (await doSome()) === atOnce);
}

/** When an approval expires; null if it does not. */
export const validUntil = (row: Pick<KycRow, 'status' | 'decided_at'>, validity: number | null) =>
  row.status === 'approved' && row.decided_at && validity !== null
    ? new Date(row.decided_at.getTime() + validity)
    : null

/** Notifies members whose approval expires soon, once each, except those who have already submitted again. */
export async function notifyOfExpiry(services: Needed): Promise<void> {
  const validity = services.config.kycValidity
  if (validity === null) return
  const notice = Math.min(renewalTime, validity / 2)
  await doAll(services, () => notifySome(services, validity, notice))
}

const notifySome = (services: Needed, validity: number, notice: number): Promise<number> =>
  transaction(services.db, async (db) => {
    const rows = await lockApprovalsToRenew(db, validity - notice, atOnce)
    for (const row of rows) {
      await markExpiryNotified(db, row.id)
      const { language } = await getMemberById(db, row.member_id)
      const date = formatDay(validUntil(row, validity)!, language)
      await notifyApplicant(db, services, row.member_id, 'kyc-expires-soon', { date })
    }
    return rows.length
  })

/**
 * Marks approvals past their validity as `expired`. Members with a newer approval are not emailed, because they
 * stay verified.
 */
export async function expireApprovals(services: Needed): Promise<void> {
  const validity = services.config.kycValidity
  if (validity === null) return
  await doAll(services, () => expireSome(services, validity))
}

const expireSome = (services: Needed, validity: number): Promise<number> =>
  transaction(services.db, async (db) => {
    const rows = await lockApprovalsPast(db, validity, atOnce)
    for (const row of rows) {
      const { language } = await getMemberById(db, row.member_id)
      const days: Values<IdentityPlaceholders['expired']> = { days: Math.round(validity / DAY) }
      const reason = fill(words(language).expired, days)
      await updateKycRow(db, row.id, { status: 'expired', reason })
      await insertKycStep(db, { id: row.id, from: 'approved', to: 'expired', reason, by: null })
      await recordAudit(db, {
        actorId: null,
        action: 'kyc-expired',
        subjectKind: 'kyc',
        subjectId: row.id,
        detail: { status: 'expired' },
      })
      if (!row.is_renewed) await notifyApplicant(db, services, row.member_id, mailOfTransition('expired'))
    }
    return rows.length
  })
