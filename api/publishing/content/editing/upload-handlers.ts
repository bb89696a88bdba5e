import { createHash } from 'node:crypto'
import type { api } from '#contract/api.ts'
import { documentBytesMax, type DocumentEntry } from '#contract/publishing/console-content-files.ts'
import { recordAudit } from '../../../platform/audit/audit.queries.ts'
import { encodePicture } from '../../pictures/store-picture.ts'
import { transaction } from '../../../platform/db/database.ts'
import type { Handler } from '../../../platform/http/handler.ts'
import { Refused, refusedField } from '../../../platform/refused.ts'
import { checkPdf } from '../../../platform/pdf/read-pdf-apart.ts'
import { uploadOf } from '../../../platform/uploads/receive-uploads.ts'
import { baseFiles, type Documents, fileValueOf } from './content-item.ts'
import { announceFile, documentName, findFile, storeKeyOf } from './content-file.queries.ts'
import { lockPublished, saveDraft } from './draft-handlers.ts'
import { NOTHING } from './draft.ts'
import { findItem, readToday } from './content-item.queries.ts'
import { readItem, requireItem } from './read-items.ts'
import { publishedValue, type Published } from './site-state.ts'

type WhitePaperFacts = { versions: { document: string }[] } | undefined

/** Width in pixels: twice what a page shows, for high-density screens. */
const photoWidth = 640

export const uploadContentDocument: Handler<typeof api.uploadContentDocument> = async ({ body }, context) => {
  const { db, files, uploads, caller } = context
  const { base, language, title, version } = body
  const upload = uploads?.find(body.pdf) ?? uploadOf(body.pdf, documentBytesMax)
  if (upload.isTooLarge) throw refusedField('pdf', 'too_long', { max: documentBytesMax })
  const { bytes, pages } = await checkPdf(upload, 'pdf')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const name = documentName(sha256)
  await announceFile(db, { name, kind: 'document', bytes: bytes.length })
  await files.put(storeKeyOf(name), bytes)
  const piece = `documents/${base}`
  return transaction(db, async (db) => {
    const entry: DocumentEntry = {
      file: `${base}-${language}.pdf`,
      base,
      language,
      title,
      version,
      date: (await readToday(db)).slice(0, 7),
      pages,
      bytes: bytes.length,
      sha256,
    }
    const state = await lockPublished(db, piece)
    if (replacesWhitePaper(state, entry)) throw refusedField('pdf', 'document_stays')
    const published = publishedValue(baseFiles(), state, piece)
    const changes = new Map([[language, entry]])
    await saveDraft(db, { piece, version: body.basedOn, changes }, published, context)
    await recordAudit(db, {
      actorId: caller.memberId,
      action: 'content-uploaded',
      subjectKind: 'content',
      subjectId: piece,
      detail: { language, version, sha256 },
    })
    return readItem(db, context.config, piece)
  })
}

/** Whether the upload would replace an edition of the white paper that is published, or that the program's files have. */
function replacesWhitePaper(state: Published, { base, language, sha256 }: DocumentEntry): boolean {
  const files = baseFiles()
  const piece = `documents/${base}`
  const paper = publishedValue(files, state, 'facts/white-paper.json') as WhitePaperFacts
  if (!paper?.versions.some(({ document }) => document === base)) return false
  const editions = [fileValueOf(files, piece), publishedValue(files, state, piece)] as (
    | Documents
    | undefined
  )[]
  return editions.some((each) => each?.[language] && each[language].sha256 !== sha256)
}

/** Withdraws an edition in the draft; it becomes public when the draft is published. */
export const withdrawContentDocument: Handler<typeof api.withdrawContentDocument> = ({ body }, context) => {
  const piece = `documents/${body.base}`
  return transaction(context.db, async (db) => {
    requireItem(piece, await findItem(db, piece))
    const published = publishedValue(baseFiles(), await lockPublished(db, piece), piece)
    const changes = new Map([[body.language, NOTHING]])
    await saveDraft(db, { piece, version: body.basedOn, changes }, published, context)
    return readItem(db, context.config, piece)
  })
}

export const uploadContentPicture: Handler<typeof api.uploadContentPicture> = async ({ body }, context) => {
  const { db, files } = context
  const { name, sizes } = await encodePicture(context, body.picture, 'picture', [photoWidth])
  const { data, width, height } = sizes.at(-1)!
  const photo = `${name}.webp`
  await announceFile(db, { name: photo, kind: 'picture', bytes: data.length })
  await files.put(storeKeyOf(photo), data)
  return { photo, address: `/assets/people/${photo}`, width, height }
}

/** PDFs of drafts and of versions, which have no public address. */
export const openContentDocument: Handler<typeof api.openContentDocument> = async (
  { params },
  { db, files },
) => {
  const name = documentName(params.sha256)
  const stream = (await findFile(db, name)) && (await files.open(storeKeyOf(name)))
  if (!stream) throw new Refused('not_found')
  return { contentType: 'application/pdf', stream }
}
