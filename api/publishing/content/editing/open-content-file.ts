import type { Readable } from 'node:stream'
import type { Services } from '../../../platform/services.ts'
import { baseFiles, listedDocuments } from './content-item.ts'
import { documentName, storeKeyOf } from './content-file.queries.ts'

/** A file of the store as served; `etag` is derived from its bytes. */
type ContentFile = {
  etag: string
  type: string
  bytes: number | undefined
  open(): Promise<Readable | undefined>
}

/** The published PDF with this name, unless it is the one in the files; null if that was withdrawn. */
export function findPublishedDocument(
  { content, files }: Pick<Services, 'content' | 'files'>,
  file: string,
): ContentFile | null | undefined {
  const entry = content.documents().find((each) => each.file === file)
  const ofFiles = listedDocuments(baseFiles()).find((each) => each.file === file)
  if (!entry) return ofFiles && null
  if (ofFiles?.sha256 === entry.sha256) return undefined
  const { sha256, bytes } = entry
  return {
    etag: `"${sha256}"`,
    type: 'application/pdf',
    bytes,
    open: () => files.open(storeKeyOf(documentName(sha256))),
  }
}

const pictureTypes: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  avif: 'image/avif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
}

/** An uploaded picture of a person or a partner. */
export function findUploadedPicture(
  { files }: Pick<Services, 'files'>,
  file: string,
): ContentFile | undefined {
  const ending = /^[a-z\d][a-z\d-]{0,80}\.(webp|avif|jpe?g|png)$/.exec(file)?.[1]
  if (ending === undefined) return undefined
  return {
    etag: `"${storeKeyOf(file)}"`,
    type: pictureTypes[ending]!,
    bytes: undefined,
    open: () => files.open(storeKeyOf(file)),
  }
}
