import { siteLanguages } from '#contract/languages.ts'
import type { api } from '#contract/api.ts'
import brand from '#content/brand.json' with { type: 'json' }
import { listAuditOfRecord } from '../../../audit/audit.queries.ts'
import { staffNameWithAddress } from '../../../db/staff-name.ts'
import type { Download, Handler, MemberContext } from '../../../http/handler.ts'
import type { KycRow } from '../../kyc.queries.ts'
import { watermark, watermarkText } from '../../../pictures/watermark.ts'
import { listKycPhotos } from '../../kyc-photo.queries.ts'
import { openDataKey, readPhoto } from '../../sealed-documents.ts'
import { beginExport } from '../begin-export.ts'
import { readCase } from '../read-cases.ts'
import { readEvents } from '../read-events.ts'
import { sayIn } from './pdf-words.ts'
import { utc } from './utc.ts'
import { nameOf, writeCase } from './write-case.ts'

/** Logged before the response begins, because it can't be revoked afterwards. */
export const exportKycCaseAsPdf: Handler<typeof api.exportKycCaseAsPdf> = async ({ params }, context) => {
  const { db, request } = context
  const { row, officer, mark } = await beginExport(params.id, 'pdf', context)
  const now = new Date().toISOString()
  const say = sayIn(request.language)
  const shown = await readCase(row.id, context)
  const title = say('casePdf.title', { name: nameOf(shown) })
  // The PDF library is loaded on first use.
  const { PdfWriter } = await import('./pdf-writer.ts')
  const pdf = new PdfWriter({
    title,
    author: brand.name,
    language: siteLanguages[request.language].tag,
  })
  writeCase(pdf, say, {
    shown,
    happened: await readEvents(db, row),
    audit: (await listAuditOfRecord(db, 'kyc', row.id)).map(({ seq, at, actor_name, action, hash }) => ({
      seq: Number(seq),
      at: at.toISOString(),
      name: actor_name ?? '',
      action,
      hash: hash?.toString('hex') ?? '',
    })),
    made: say('casePdf.made', { at: utc(now), name: staffNameWithAddress(officer) }),
  })
  const finish = async () => {
    for await (const { n, picture } of openPhotos(row, context)) {
      // The client has disconnected.
      if (pdf.doc.destroyed) return
      const marked = await watermark(picture, watermarkText(officer, `${mark}-${n + 1}`))
      const verdict = shown.photos.find((photo) => photo.n === n)?.verdict ?? 'open'
      pdf.picture(
        marked,
        say('casePdf.photoOf', {
          number: n + 1,
          count: row.photo_count,
          verdict: say(`review.photo.${verdict}`),
        }),
      )
    }
    pdf.end((page) => say('casePdf.footer', { id: row.id, name: officer.email, at: utc(now), page }))
  }
  finish().catch((error: Error) => pdf.doc.destroy(error))
  return {
    contentType: 'application/pdf',
    fileName: say('casePdf.fileName', { id: row.id.slice(0, 8) }),
    stream: pdf.doc,
  } satisfies Download
}

/** Opens photos one after the other, so that only one picture is in memory at a time. */
async function* openPhotos(row: KycRow, { db, keys, files }: MemberContext) {
  if (!row.sealed_data_key) return
  const dataKey = openDataKey(keys, row.id, row.sealed_data_key)
  for (const { n, file_key } of await listKycPhotos(db, row.id)) {
    const picture = await readPhoto(files, dataKey, row.id, file_key)
    if (picture) yield { n, picture }
  }
}
