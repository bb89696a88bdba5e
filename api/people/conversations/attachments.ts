import { randomUUID } from 'node:crypto'
import { attachmentBytesMax, type Attachment } from '#contract/people/conversations.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Bytes, MemberContext } from '../../platform/http/handler.ts'
import { checkPdf, isPdf as isPdfFile } from '../../platform/pdf/read-pdf-apart.ts'
import { settleFiles } from '../../platform/pending-files/pending-file.queries.ts'
import { decodePhoto } from '../../platform/pictures/import-photo.ts'
import { Refused, refusedField } from '../../platform/refused.ts'
import { uploadOf } from '../../platform/uploads/receive-uploads.ts'
import { newDataKey, openDataKey, readPhoto, storeSealed } from '../kyc/encrypted-documents.ts'
import { insertAttachment, type AttachmentRow } from './conversation.queries.ts'

export type StoredAttachment = {
  id: string
  fileKey: string
  sealedDataKey: Buffer
  isPdf: boolean
  bytes: number
  /** Equal for equal files, so that a repeated request is recognized. */
  contentHash: string
}

type Storing = Pick<MemberContext, 'db' | 'keys' | 'files' | 'uploads'> & { memberId: string }

/** Checks a PDF, or re-encodes a picture without its metadata. */
async function cleanFile(given: string, path: string, { uploads, memberId }: Storing) {
  const upload = uploads?.find(given) ?? uploadOf(given, attachmentBytesMax)
  if (upload.isTooLarge) throw refusedField(path, 'too_long', { max: attachmentBytesMax })
  if (isPdfFile(upload.head)) return { isPdf: true, bytes: (await checkPdf(upload, path)).bytes }
  const { bytes } = await decodePhoto(given, path, { memberId, uploads })
  return { isPdf: false, bytes }
}

/** Stores the files, each encrypted under a key of its own. The caller adds each one to `stored`, to discard it on failure. */
export async function storeAttachments(
  given: readonly string[],
  storing: Storing,
  stored: StoredAttachment[],
): Promise<void> {
  for (const [n, each] of given.entries()) {
    const { isPdf, bytes } = await cleanFile(each, `attachments.${n}`, storing)
    const id = randomUUID()
    const { dataKey, sealedDataKey } = newDataKey(storing.keys, id)
    const file = await storeSealed(storing, dataKey, id, { folder: 'messages', bytes })
    stored.push({ id, ...file, sealedDataKey, isPdf })
  }
}

/** Adds stored files to a message, in its transaction. */
export async function insertAttachments(
  db: Tx,
  messageId: string,
  stored: readonly StoredAttachment[],
): Promise<void> {
  await settleFiles(
    db,
    stored.map(({ fileKey }) => fileKey),
  )
  for (const [n, { id, fileKey, sealedDataKey, isPdf, bytes }] of stored.entries())
    await insertAttachment(db, {
      id,
      message_id: messageId,
      n,
      file_key: fileKey,
      sealed_data_key: sealedDataKey,
      is_pdf: isPdf,
      bytes,
    })
}

export const presentAttachment = ({ id, is_pdf, bytes, file_key }: AttachmentRow): Attachment => ({
  id,
  kind: is_pdf ? 'pdf' : 'picture',
  bytes,
  isDeleted: file_key === null,
})

export const contentTypeOf = ({ is_pdf }: AttachmentRow): string =>
  is_pdf ? 'application/pdf' : 'image/jpeg'

/** Returns undefined if the retention period has ended, or the file is lost. */
export async function openAttachment(
  { keys, files }: Pick<MemberContext, 'keys' | 'files'>,
  { id, file_key, sealed_data_key }: AttachmentRow,
): Promise<Buffer | undefined> {
  if (file_key === null || sealed_data_key === null) return undefined
  return readPhoto(files, openDataKey(keys, id, sealed_data_key), id, file_key)
}

export async function sendAttachment(
  context: Pick<MemberContext, 'keys' | 'files'>,
  row: AttachmentRow | undefined,
): Promise<Bytes> {
  const bytes = row && (await openAttachment(context, row))
  if (!bytes) throw new Refused('not_found')
  return { contentType: contentTypeOf(row), bytes }
}
