import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import { listAuditOfRecord, recordAudit } from '../../../platform/audit/audit.queries.ts'
import { sealAudit } from '../../../platform/audit/seal-audit.ts'
import type { Handler, MemberContext } from '../../../platform/http/handler.ts'
import { getMemberById } from '../../members/member.queries.ts'
import { newMark, watermark, watermarkText } from '../../../platform/pictures/watermark.ts'
import { requireWithinLimits } from '../../../platform/rate-limits/rate-limit.ts'
import { Refused } from '../../../platform/refused.ts'
import { listKycPhotos } from '../kyc-photo.queries.ts'
import { findAnyCase, type KycRow } from '../kyc.queries.ts'
import { openDataKey, readPhoto } from '../encrypted-documents.ts'
import { readCase } from './read-cases.ts'
import { requireOthersCase } from './require-own-case.ts'

/**
 * Cases are exported one at a time, each logged before the response begins, and rate-limited so that nobody can
 * copy all of them.
 */
export const exportKycCase: Handler<typeof api.exportKycCase> = async ({ params }, context) => {
  const { db, keys, caller } = context
  const row = await findAnyCase(db, params.id)
  if (!row) throw new Refused('not_found')
  requireOthersCase(row, caller.memberId)
  caller.requireStepUp()
  await requireWithinLimits(db, keys, [{ key: `kyc-export ${caller.memberId}`, max: 60, window: HOUR }])
  const mark = newMark()
  await recordAudit(db, {
    actorId: caller.memberId,
    action: 'kyc-exported',
    subjectKind: 'kyc',
    subjectId: row.id,
    detail: { mark },
  })
  const officer = await getMemberById(db, caller.memberId)
  const pictures = await readPictures(row, context, (n) => watermarkText(officer, `${mark}-${n + 1}`))
  await sealAudit(db)
  const audit = await listAuditOfRecord(db, 'kyc', row.id)
  return {
    exportedAt: new Date().toISOString(),
    exportedBy: { id: officer.id, name: officer.display_name, email: officer.email },
    case: await readCase(row.id, context),
    pictures,
    audit: audit.map(({ seq, at, actor_id, action, hash }) => ({
      seq: seq === null ? null : Number(seq),
      at: at.toISOString(),
      actorId: actor_id,
      action,
      hash: hash?.toString('hex') ?? '',
    })),
  }
}

/** As data URLs. The text on each picture leads to the entry of this export in the audit log. */
async function readPictures(
  row: KycRow,
  { db, keys, files }: MemberContext,
  textOn: (n: number) => string,
): Promise<string[]> {
  if (!row.sealed_data_key) return []
  const pictures: string[] = []
  const dataKey = openDataKey(keys, row.id, row.sealed_data_key)
  for (const { n, file_key, content_type } of await listKycPhotos(db, row.id)) {
    const bytes = await readPhoto(files, dataKey, row.id, file_key)
    if (!bytes) continue
    const marked = await watermark(bytes, textOn(n))
    pictures.push(`data:${content_type};base64,${marked.toString('base64')}`)
  }
  return pictures
}
