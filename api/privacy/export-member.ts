import type { api } from '#contract/api.ts'
import { HOUR } from '#contract/durations.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { transaction } from '../db/database.ts'
import type { Download, Handler, MemberContext } from '../http/handler.ts'
import { listKycPhotos, type KycRow } from '../kyc/kyc.queries.ts'
import { openDataKey, readPhoto } from '../kyc/sealed-documents.ts'
import { openStagedPhoto } from '../kyc/stage-photo.ts'
import { sendMail } from '../mail/send-mail.ts'
import { ownDataParts, partNames, type Source } from './archive-parts.ts'
import { zipOwnData } from './zip-archive.ts'
import { demandWithin } from '../rate-limits/rate-limit.ts'
import { getMemberById } from '../members/member.queries.ts'
import { resetRequestLink } from '../site-links.ts'

/** The log and the notice come first: once an answer has begun, it cannot be taken back. */
export const exportMember: Handler<typeof api.exportMember> = async ({ query }, context) => {
  const { db, keys, config, caller, request } = context
  await demandWithin(db, keys, [{ key: `export ${caller.memberId}`, max: 10, window: HOUR }])
  const member = await getMemberById(db, caller.memberId)
  await transaction(db, async (db) => {
    await recordAudit(db, {
      actorId: member.id,
      action: 'member-exported',
      subjectKind: 'member',
      subjectId: member.id,
    })
    await sendMail(db, keys, member, 'data-exported', { resetLink: resetRequestLink(config) })
  })
  const format = query.format ?? (request.accept?.includes('application/zip') ? 'zip' : 'json')
  if (format === 'zip')
    return { contentType: 'application/zip', ...(await zipOwnData(context, member)) } satisfies Download
  const source: Source = {
    context,
    member,
    picturesOf: (row) => picturesInside(row, context),
    waitingPictureOf: async (row) => {
      const bytes = await openStagedPhoto(context, row)
      return { picture: bytes ? asDataUrl('image/jpeg', bytes) : null }
    },
  }
  const exported: Record<string, unknown> = { exportedAt: new Date().toISOString() }
  for (const part of partNames) {
    const { isList, read } = ownDataParts[part]
    const entries: unknown[] = []
    for await (const entry of read(source)) entries.push(entry)
    exported[part] = isList ? entries : entries[0]
  }
  return exported
}

/** As data URLs. */
async function picturesInside(row: KycRow, { db, keys, files }: MemberContext) {
  const photos: string[] = []
  if (row.sealed_data_key) {
    const dataKey = openDataKey(keys, row.id, row.sealed_data_key)
    for (const { file_key, content_type } of await listKycPhotos(db, row.id)) {
      const bytes = await readPhoto(files, dataKey, row.id, file_key)
      if (bytes) photos.push(asDataUrl(content_type, bytes))
    }
  }
  return { photos }
}

const asDataUrl = (contentType: string, bytes: Buffer): string =>
  `data:${contentType};base64,${bytes.toString('base64')}`
