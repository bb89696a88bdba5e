import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { findAmbassadorApplicationsByEmail } from '../ambassadors/ambassador.queries.ts'
import { listAuditOfMember, recordAudit } from '../audit/record-audit.ts'
import type { Handler, MemberContext } from '../http/handler.ts'
import { listKycOfMember, listKycPhotos, listKycSteps, type KycRow } from '../kyc/kyc.queries.ts'
import { presentKyc } from '../kyc/present-kyc.ts'
import { openDataKey, readPhoto } from '../kyc/sealed-documents.ts'
import { listOrdersOfMember } from '../orders/order.queries.ts'
import { presentOrder } from '../orders/present-order.ts'
import { listSessionsOfMember } from '../sessions/session.queries.ts'
import { demandWithin } from '../throttle.ts'
import { findPendingEmail } from './email-change.queries.ts'
import { getMemberById } from './member.queries.ts'
import { presentUser } from './present-user.ts'

const pageSize = 100

/** Everything that is kept about the member but secrets and the private notes of staff; pictures as data URLs. */
export const exportMember: Handler<typeof api.exportMember> = async (_, context) => {
  const { db, keys, caller } = context
  await demandWithin(db, keys, [{ key: `export ${caller.memberId}`, max: 10, window: HOUR }])
  const member = await getMemberById(db, caller.memberId)
  const sessions = await listSessionsOfMember(db, member.id)
  const orders = await readAll((after) => listOrdersOfMember(db, member.id, {}, pageSize, after))
  const applications = await readAll((after) => listKycOfMember(db, member.id, {}, pageSize, after))
  const exported = {
    exportedAt: new Date().toISOString(),
    profile: {
      ...presentUser(member),
      pendingEmail: (await findPendingEmail(db, member.id)) ?? null,
      language: member.language,
      invitationCode: member.invitation_code,
      hasSecondFactor: caller.hasSecondFactor,
    },
    sessions: sessions.map(({ device, place, created_at, last_used_at }) => ({
      device,
      place,
      createdAt: created_at.toISOString(),
      lastUsedAt: last_used_at.toISOString(),
    })),
    orders: orders.map(presentOrder),
    identityApplications: [] as unknown[],
    ambassadorApplications: (await findAmbassadorApplicationsByEmail(db, member.email)).map((row) => ({
      fullName: row.full_name,
      city: row.city,
      country: row.country,
      socialMedia: row.social_media,
      description: row.description,
      status: row.status,
      createdAt: row.created_at.toISOString(),
    })),
    activity: (await listAuditOfMember(db, member.id)).map(({ at, action }) => ({
      at: at.toISOString(),
      action,
    })),
  }
  for (const row of applications) exported.identityApplications.push(await exportApplication(row, context))
  await recordAudit(db, {
    actorId: member.id,
    action: 'member-exported',
    subjectKind: 'member',
    subjectId: member.id,
  })
  return exported
}

async function exportApplication(row: KycRow, { db, keys, files }: MemberContext) {
  const steps = await listKycSteps(db, row.id)
  const photos: string[] = []
  if (row.sealed_data_key) {
    const dataKey = openDataKey(keys, row.id, row.sealed_data_key)
    for (const { file_key, content_type } of await listKycPhotos(db, row.id)) {
      const bytes = await readPhoto(files, dataKey, row.id, file_key)
      if (bytes) photos.push(`data:${content_type};base64,${bytes.toString('base64')}`)
    }
  }
  return {
    ...presentKyc(row, false),
    steps: steps.map(({ from_status, to_status, reason, at }) => ({
      from: from_status,
      to: to_status,
      reason,
      at: at.toISOString(),
    })),
    photos,
  }
}

async function readAll<Row>(
  read: (after: string | undefined) => Promise<{ rows: Row[]; next: string | undefined }>,
): Promise<Row[]> {
  const all: Row[] = []
  let after: string | undefined
  do {
    const page = await read(after)
    all.push(...page.rows)
    after = page.next
  } while (after !== undefined)
  return all
}
