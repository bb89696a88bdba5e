import type { api } from '#contract/api.ts'
import { listAuditOfRecord } from '../../audit/audit.queries.ts'
import type { Handler } from '../../http/handler.ts'
import { listKycPhotos } from '../kyc-photo.queries.ts'
import { watermark, watermarkText } from '../../pictures/watermark.ts'
import { openDataKey, readPhoto } from '../sealed-documents.ts'
import { beginExport } from './begin-export.ts'
import { readCase } from './read-cases.ts'

export const exportKycCase: Handler<typeof api.exportKycCase> = async ({ params }, context) => {
  const { db, keys, files } = context
  const { row, officer, mark } = await beginExport(params.id, 'json', context)
  const pictures: string[] = []
  if (row.sealed_data_key) {
    const dataKey = openDataKey(keys, row.id, row.sealed_data_key)
    for (const { n, file_key, content_type } of await listKycPhotos(db, row.id)) {
      const bytes = await readPhoto(files, dataKey, row.id, file_key)
      if (!bytes) continue
      const marked = await watermark(bytes, watermarkText(officer, `${mark}-${n + 1}`))
      pictures.push(`data:${content_type};base64,${marked.toString('base64')}`)
    }
  }
  const audit = await listAuditOfRecord(db, 'kyc', row.id)
  return {
    exportedAt: new Date().toISOString(),
    exportedBy: { id: officer.id, name: officer.display_name, email: officer.email },
    case: await readCase(row.id, context),
    pictures,
    audit: audit.map(({ seq, at, actor_id, action, hash }) => ({
      seq: Number(seq),
      at: at.toISOString(),
      actorId: actor_id,
      action,
      hash: hash?.toString('hex') ?? '',
    })),
  }
}
